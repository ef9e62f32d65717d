# What the scripts beside this file share: their arguments, and a line of JSON for each call they make.
import asyncio
import json
import sys

config = json.load(open(sys.argv[1]))
facts = json.loads(sys.argv[2])


async def call(name, work, pick=lambda answer: answer):
    """Prints the name of a call and what came back, or why not."""
    try:
        print(json.dumps({"call": name, "answer": pick(await asyncio.wait_for(work, 60))}), flush=True)
    except Exception as error:
        print(json.dumps({"call": name, "error": repr(error)}), flush=True)
