// @ts-check
/** The rules of each game as lines of text keys with the place in the source that says so. */

/** @typedef {{text: string, source: string, note?: "our" | "disagree" | "convention"}} Rule */

/** @type {Record<string, Rule[]>} */
export const RULES = {
  "sea-battle": [
    { text: "edge", source: "§4" },
    { text: "four", source: "§5.4, R6a" },
    { text: "encircled", source: "§5.5, R6b" },
    { text: "rook", source: "§5.1, R3" },
    { text: "capture", source: "§5.2, R4" },
    { text: "unarmed", source: "§5.3, R4" },
    { text: "repeat", source: "§5.6, R7" },
    { text: "stuck", source: "§5.7, R8–9" },
    { text: "first", source: "R2, §10", note: "disagree" },
  ],
  market: [
    { text: "edge", source: "§4, R5" },
    { text: "two", source: "§5.3, R4, R6" },
    { text: "rook", source: "§5.1, R3" },
    { text: "capture", source: "§5.2, R4" },
    { text: "first", source: "§5.4, R2" },
    { text: "silentEnd", source: "§5.5", note: "our" },
  ],
  imperial: [
    { text: "edge", source: "§4, R10" },
    { text: "four", source: "§5.3, R6, R11" },
    { text: "rook4", source: "§5.2, R3–5" },
    { text: "capture", source: "§5.4, R7" },
    { text: "single", source: "§5.5, R8" },
    { text: "unarmed", source: "§5.6, R9" },
    { text: "first", source: "§5.1, R2" },
    { text: "silentEnd", source: "", note: "our" },
  ],
  linnaeus: [
    { text: "edge", source: "R3, R4" },
    { text: "kingTaken", source: "§5.3, R9–11" },
    { text: "enclosed", source: "§5.8, R12" },
    { text: "rook", source: "R1, R2, R7" },
    { text: "capture", source: "R9" },
    { text: "throne", source: "§5.5, §10", note: "our" },
    { text: "anvil", source: "R14, §5.4", note: "convention" },
    { text: "calls", source: "R6" },
    { text: "first", source: "R8, §10", note: "our" },
    { text: "swap", source: "R12" },
  ],
};

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
