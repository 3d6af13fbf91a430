"""A count process that has done two seconds of its work, and never ends."""

import sys
from time import sleep

if __name__ == "__main__":
    sys.stdout.write("1.0\n2.0\n")
    sys.stdout.flush()
    while True:
        sleep(1.0)
