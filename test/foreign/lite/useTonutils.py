# tonutils of Python over lite servers, which it chooses itself: blocks, accounts, history, get-methods and sending.
import asyncio
import base64

from ton_core import NetworkGlobalID
from tonutils.clients import LiteBalancer

from liteCalls import call, config, facts


def hex_of(text):
    return base64.b64decode(text).hex()


async def main():
    client = LiteBalancer.from_config(NetworkGlobalID.TESTNET, config=config)
    await client.connect()

    wallet = facts["wallet"]
    last = (await client.get_masterchain_info()).last.seqno
    block = (await client.lookup_block(0, -(2**63), seqno=facts["block"]))[0]
    master = (await client.lookup_block(-1, -(2**63), seqno=facts["old"]))[0]
    await call("get_masterchain_info", client.get_masterchain_info(), lambda a: a.last.seqno >= last)
    await call("get_time", client.get_time(), lambda a: a > 1_600_000_000)
    await call("get_version", client.get_version())
    await call("lookup_block", client.lookup_block(-1, -(2**63), seqno=last), lambda a: a[0].seqno == last)
    await call("lookup_block by lt", client.lookup_block(0, -(2**63), lt=int(facts["created"])), lambda a: a[0].seqno)
    await call("get_block_header", client.get_block_header(master), lambda a: a[0].seqno == facts["old"])
    await call("get_block_transactions", client.get_block_transactions(block), len)
    await call("get_all_shards_info", client.get_all_shards_info(master), lambda a: [shard.seqno for shard in a])
    await call("get_account_state", client.get_account_state(wallet), lambda a: a[0].storage.balance.grams)
    await call("get_info", client.get_info(wallet), lambda a: a.balance > 0)
    await call("get_info of an absent account", client.get_info("0:" + "fe" * 32), lambda a: a.balance == 0)
    await call("get_transactions", client.get_transactions(wallet, 20), lambda a: [str(t.lt) for t in a])
    await call("run_get_method", client.run_get_method(wallet, "seqno", []), lambda a: a[0] > 0)
    await call("get_config", client.get_config(), lambda a: len(a) > 10)
    await call("wait_masterchain_seqno", client.wait_masterchain_seqno(last, 10_000, "getTime"), lambda a: a["now"] > 0)
    await call("send_message", client.send_message(hex_of(facts["messages"][0])))
    await call("send_message: stale", client.send_message(hex_of(facts["stale"])))
    await client.close()


asyncio.run(main())
