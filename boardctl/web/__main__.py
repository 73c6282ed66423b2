"""`python -m boardctl.web`."""

from boardctl.web.server import main

if __name__ == "__main__":
    main()
