"""Run what fetches packages; where it fails, say why and what helps: `fetch.py WHAT COMMAND...`."""

from __future__ import annotations

import re
import subprocess
import sys

SHOWN = 6
CAUSES = (  # What a tool prints, why it did, and what helps. The first that fits is told.
    (
        r"No space left|ENOSPC|disk is full",
        "the disk is full; set-up needs about 2 GB: make room",
    ),
    (
        r"Permission denied|EACCES|EPERM|Read-only file system",
        "this user may not write there; give the folder to this user, or clone into another",
    ),
    (
        r"Name or service not known|name resolution|ENOTFOUND|EAI_AGAIN|dns error",
        "the address of the package index is not found; is there a network?",
    ),
    (
        r"certificate|SSL|TLS|CERT_|UNABLE_TO_",
        "the package index cannot prove who it is; a proxy may stand between, "
        "and its certificate has to be known (SSL_CERT_FILE, NODE_EXTRA_CA_CERTS)",
    ),
    (
        r"Connection refused|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timed out"
        r"|unreachable|connection broken|Failed to establish|error sending request|Proxy"
        r"|fetch failed",
        "the package index does not answer; is there a network?",
    ),
    (
        r"40[13] |E401|E403|Unauthorized|Forbidden",
        "the package index refuses us; a mirror may want a name and a password",
    ),
    (
        r"do not match the hashes|hash mismatch|EINTEGRITY|integrity checksum failed",
        "the index serves another file than the one that was locked; do not use it",
    ),
    (
        r"No matching distribution|E404|not found in the package registry|no version|No solution",
        "the package index does not have it; a mirror may be behind, or this Python too new or old",
    ),
)
MIRRORS = "PIP_INDEX_URL names another index for Python, npm_config_registry one for the page"
NOISE = re.compile(r"^(npm error\s+(at |\{|\}|$)|\s*at )|A complete log|^npm warn")


def cause(printed: str) -> str | None:
    """Why it failed, from what the tool printed."""
    for pattern, why in CAUSES:
        if re.search(pattern, printed, re.IGNORECASE):
            return why
    return None


def told(what: str, printed: str, code: int) -> str:
    """What a person reads: the tool's last words, the reason, the remedy."""
    lines = [line for line in printed.splitlines() if line.strip() and not NOISE.search(line)]
    last = "\n".join(f"  {line}" for line in lines[-SHOWN:])
    why = cause(printed) or f"the command ended with {code}"
    end = "" if why.endswith("?") else "."
    return f"{last}\n{what} could not be fetched: {why}{end}\n{MIRRORS}; then run make again."


def main(what: str, *command: str) -> int:
    """Run it in silence; its exit code."""
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
    if ran.returncode:
        sys.stderr.write(f"{told(what, ran.stdout + ran.stderr, ran.returncode)}\n")
    return ran.returncode


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
