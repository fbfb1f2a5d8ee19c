"""Drives the installed client for protocol/conformance/run.py: `driver.py blocking` or `driver.py asyncio`."""

import asyncio
import json
import os
import shlex
import sys

from recapd_client import AsyncRecapd, CallError, Recapd

COMMAND = shlex.split(os.environ["RECAPD_COMMAND"])
PATIENCE_S = 30


def say(answer):
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def error_of(error):
    return {"error": {"code": error.code, "message": error.message, "data": error.data}}


def drive():
    with Recapd(command=COMMAND) as recapd:
        for line in sys.stdin:
            asked = json.loads(line)
            if "wait" in asked:
                told = None
                while told is None or told[0] != asked["wait"]:
                    told = recapd.next_notification(PATIENCE_S)
                say({"params": told[1]})
                continue
            try:
                say({"result": recapd.call(asked["method"], asked["params"])})
            except CallError as error:
                say(error_of(error))


async def drive_asyncio():
    async with AsyncRecapd(command=COMMAND) as recapd:
        while line := await asyncio.to_thread(sys.stdin.readline):
            asked = json.loads(line)
            if "wait" in asked:
                told = None
                while told is None or told[0] != asked["wait"]:
                    told = await recapd.next_notification(PATIENCE_S)
                say({"params": told[1]})
                continue
            try:
                say({"result": await recapd.call(asked["method"], asked["params"])})
            except CallError as error:
                say(error_of(error))


if __name__ == "__main__":
    if sys.argv[1] == "asyncio":
        asyncio.run(drive_asyncio())
    else:
        drive()
