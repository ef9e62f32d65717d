# Calls every method of the v2 and v3 clients of `toncenter` and prints what each came to: its models refuse an answer that
# is not what they name. Arguments are found by their names.

import asyncio
import inspect
import json
import sys

from toncenter.rest import ToncenterRestClient
from toncenter.rest.v3 import models
from toncenter.types import Network

url, facts = sys.argv[1], json.loads(sys.argv[2])

BODIES = {
    "post_decode": lambda: models.DecodeRequest(opcodes=["0x0f8a7ea5"]),
    "estimate_fee": lambda: models.V2EstimateFeeRequest(address=facts["wallet"], body=facts["body"], ignore_chksig=True),
    "run_get_method": lambda: models.V2RunGetMethodRequest(address=facts["wallet"], method="seqno", stack=[]),
    "send_message": lambda: models.V2SendMessageRequest(boc=facts["bocs"].pop(0)),
}
# What a method needs besides its required parameters: one of several is required, or without it nothing is found.
MORE = {
    "lookup_block": {"seqno": facts["seqno"]},
    "get_dns_records": {"domain": facts["domain"]},
    "get_decode": {"opcodes": ["0x0f8a7ea5"]},
    "get_adjacent_transactions": {"hash": facts["hash"]},
    "get_transactions_by_message": {"msg_hash": facts["msg_hash"]},
    "get_pending_transactions": {"account": [facts["wallet"]]},
    "get_pending_actions": {"account": facts["wallet"]},
    "get_pending_traces": {"account": facts["wallet"]},
    "get_multisig_orders": {"address": [facts["wallet"]]},
    "get_multisig_wallets": {"address": [facts["wallet"]]},
    "get_vesting_contracts": {"contract_address": [facts["wallet"]]},
    "get_messages": {"source": facts["wallet"]},
    "get_actions": {"limit": 100, "include_accounts": True, "include_transactions": True},
    "get_traces": {"account": facts["wallet"], "include_actions": True},
}
NAMED = {
    "address": facts["wallet"],
    "created_lt": facts["created_lt"],
    "source": facts["source"],
    "destination": facts["destination"],
    "method": "seqno",
    "param": 8,
    "libraries": ["11" * 32],
    "hash": "11" * 32,
    "seqno": facts["seqno"],
    "workchain": -1,
    "shard": "8000000000000000",
}


def argument(version, resource, name, parameter):
    if parameter == "body" and name in BODIES and (version, resource) != ("v2", "send"):
        return BODIES[name]()
    if parameter == "address" and name == "get_token_data":
        return facts["jetton"]
    if parameter == "address" and (version, resource, name) == ("v2", "utils", "unpack_address"):
        return facts["wallet"]
    if parameter == "method" and resource == "rpc":
        return "getMasterchainInfo"
    if parameter == "boc":
        return facts["bocs"].pop(0)
    if parameter == "body":
        return facts["body"]
    value = NAMED[parameter]
    return [value] if version == "v3" and resource in ("accounts", "nfts") else value


async def sent(name, call, words):
    """A wallet takes its next message once the one before has run."""
    while True:
        try:
            return await call(**words)
        except Exception as error:
            if not name.startswith("send_") or "exitcode=33" not in str(error):
                raise
            await asyncio.sleep(0.2)


async def main():
    client = ToncenterRestClient("", Network.TESTNET, base_url=url, retry_policy=None, rps_limit=1000)
    async with client:
        for version in ("v2", "v3"):
            parts = getattr(client, version)
            for resource in (one for one in dir(parts) if not one.startswith("_")):
                methods = inspect.getmembers(getattr(parts, resource), inspect.iscoroutinefunction)
                for name, call in methods:
                    if name.startswith("_"):
                        continue
                    needed = [
                        one.name for one in inspect.signature(call).parameters.values() if one.default is one.empty
                    ]
                    words = {one: argument(version, resource, name, one) for one in needed}
                    more = {} if version == "v2" and name != "lookup_block" else MORE.get(name, {})
                    try:
                        await sent(name, call, {**words, **more})
                        print(version, resource, name, "ok")
                    except Exception as error:
                        print(version, resource, name, type(error).__name__, str(error)[:300].replace("\n", " "))


asyncio.run(main())
