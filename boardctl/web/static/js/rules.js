// @ts-check
/** The rules of each game as lines of text keys with the place in the source that says so. */

/** @typedef {{text: string, source: string, note?: "our" | "disagree" | "convention"}} Rule */

/** Key of the text, its place in the source, and where the source leaves something open: why ours. */
const ROWS = /** @type {Record<string, [string, string, Rule["note"]?][]>} */ ({
  "sea-battle": [
    ["edge", "§4"], ["four", "§5.4, R6a"], ["encircled", "§5.5, R6b"], ["rook", "§5.1, R3"], ["capture", "§5.2, R4"],
    ["unarmed", "§5.3, R4"], ["repeat", "§5.6, R7"], ["stuck", "§5.7, R8–9"], ["first", "R2, §10", "disagree"],
  ],
  market: [
    ["edge", "§4, R5"], ["two", "§5.3, R4, R6"], ["rook", "§5.1, R3"], ["capture", "§5.2, R4"], ["first", "§5.4, R2"],
    ["silentEnd", "§5.5", "our"],
  ],
  imperial: [
    ["edge", "§4, R10"], ["four", "§5.3, R6, R11"], ["rook4", "§5.2, R3–5"], ["capture", "§5.4, R7"],
    ["single", "§5.5, R8"], ["unarmed", "§5.6, R9"], ["first", "§5.1, R2"], ["silentEnd", "", "our"],
  ],
  linnaeus: [
    ["edge", "R3, R4"], ["kingTaken", "§5.3, R9–11"], ["enclosed", "§5.8, R12"], ["rook", "R1, R2, R7"],
    ["capture", "R9"], ["throne", "§5.5, §10", "our"], ["anvil", "R14, §5.4", "convention"], ["calls", "R6"],
    ["first", "R8, §10", "our"], ["swap", "R12"],
  ],
});

/** @param {string} variant @returns {Rule[]} */
export function rulesOf(variant) {
  return (ROWS[variant] ?? []).map(([text, source, note]) => ({ text, source, note }));
}

/** @type {Record<string, string[]>} */
export const SOURCES = {
  "sea-battle": [
    "Aage Nielsen, Adam Bartley: Rules of Sea battle tafl (2011). aagenielsen.dk/seabattle_rules.php",
    "Damian Walker: Sea Battle Tafl (Longship Tafl). tafl.cyningstan.com/page/762/sea-battle-tafl",
  ],
  market: [
    "Aage Nielsen: Rules for Simple Tablut. aagenielsen.dk/tablutmarketregler_engelsk.pdf",
    "Aage Nielsen: Hnefatafl Rules. aagenielsen.dk/tafl_rules.php",
  ],
  imperial: ["Damian Walker: Imperial Contest. tafl.cyningstan.com/page/1331/imperial-contest"],
  linnaeus: ["Carl Linnaeus: Iter Lapponicum (1732), printed Uppsala 1913; fourteen numbered rules in Latin"],
};

export const GAMES = ["sea-battle", "market", "imperial", "linnaeus"];

/** First move where the game's own default applies. @type {Record<string, "attackers" | "defenders" | "lot">} */
export const FIRST = { "sea-battle": "attackers", market: "defenders", imperial: "lot", linnaeus: "attackers" };

/** Start positions. @type {Record<string, string>} */
export const STARTS = {
  "sea-battle": "/3ttt3/4t4/4T4/t2T1T2t/ttT1K1Ttt/t2T1T2t/4T4/4t4/3ttt3/",
  market: "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
  imperial: "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
  linnaeus: "/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/",
};
