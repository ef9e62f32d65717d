# pytoniq with trust level 0, which checks every proof: the chain from the first key block, accounts, transactions, blocks.
import asyncio
import base64

from pytoniq import LiteClient

from liteCalls import call, config, facts


async def main():
    client = LiteClient.from_config(config, 0, trust_level=0, timeout=60)
    await client.connect()

    wallet = facts["wallet"]
    last = client.last_mc_block
    shard = client.last_shard_blocks[0]
    block = (await client.lookup_block(0, -(2**63), facts["block"]))[0]
    await call("get_masterchain_info", client.get_masterchain_info(), lambda a: a["last"]["seqno"] >= last.seqno)
    await call("get_masterchain_info_ext", client.get_masterchain_info_ext(), lambda a: a["capabilities"])
    await call("get_time", client.get_time(), lambda a: a["now"] > 1_600_000_000)
    await call("get_version", client.get_version(), lambda a: a["version"])
    await call("lookup_block", client.lookup_block(-1, -(2**63), last.seqno), lambda a: a[0].root_hash == last.root_hash)
    await call("lookup_block by lt", client.lookup_block(0, -(2**63), lt=int(facts["created"])), lambda a: a[0].seqno)
    await call("raw_get_block_header", client.raw_get_block_header(last), lambda a: a.info.seqno == last.seqno)
    await call("raw_get_block", client.raw_get_block(block), lambda a: a.info.seqno == facts["block"])
    await call("raw_get_account_state", client.raw_get_account_state(wallet), lambda a: a[0].storage.balance.grams)
    await call("get_account_state", client.get_account_state(wallet), lambda a: a.balance)
    await call("get_account_state absent", client.get_account_state("0:" + "fe" * 32), lambda a: a.balance)
    await call("run_get_method_remote", client.run_get_method_remote(wallet, "seqno", []))
    await call("raw_get_all_shards_info", client.get_all_shards_info(), lambda a: [block.seqno for block in a])
    await call("get_transactions", client.get_transactions(wallet, 20), lambda a: [str(t.lt) for t in a])
    newest = (await client.get_transactions(wallet, 1))[0]
    await call(
        "get_one_transaction",
        client.get_one_transaction(wallet, newest.lt, (await client.lookup_block(0, -(2**63), lt=newest.lt))[0]),
        lambda a: str(a.lt),
    )
    await call("raw_get_block_transactions", client.raw_get_block_transactions(block), len)
    await call("raw_get_block_transactions_ext", client.raw_get_block_transactions_ext(block), len)
    await call("get_config_all", client.get_config_all(), lambda a: len(a) > 10)
    await call("get_config_params", client.get_config_params([0, 8, 34]), lambda a: sorted(a))
    await call("get_libraries", client.get_libraries(["11" * 32]), lambda a: list(a.values()))
    await call("get_out_msg_queue_sizes", client.get_out_msg_queue_sizes(), lambda a: len(a["shards"]))
    await call("get_shard_block_proof", client.get_shard_block_proof(shard, prove_mc=True))
    await call("lookup_block, far back", client.lookup_block(-1, -(2**63), facts["old"]), lambda a: a[0].seqno)
    await call("prove_block", client.prove_block((await client.lookup_block(-1, -(2**63), last.seqno - 1))[0]))
    await call("raw_send_message", client.raw_send_message(base64.b64decode(facts["messages"][0])))
    await call("raw_send_message: stale", client.raw_send_message(base64.b64decode(facts["stale"])))
    await client.wait_masterchain_seqno(last.seqno + 1, 10_000, "getMasterchainInfo")
    for _ in range(100):
        if client.last_mc_block.seqno > last.seqno:
            break
        await asyncio.sleep(0.1)
    await call("follows", asyncio.sleep(0, client.last_mc_block.seqno > last.seqno))
    await client.close()


asyncio.run(main())
