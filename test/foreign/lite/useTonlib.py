# Every call of the network's own client library (through pytonlib) against the lite server of a configuration.
import asyncio
import base64
import tempfile

from pytonlib import TonlibClient

from liteCalls import call, config, facts

MASTER, WHOLE = -1, -9223372036854775808


def to_hash(text):
    return base64.b64encode(bytes.fromhex(text)).decode()


async def main():
    client = TonlibClient(0, config, tempfile.mkdtemp(), tonlib_timeout=60)
    await client.init()

    wallet, jetton, owner = facts["wallet"], facts["jetton"], facts["owner"]
    info = await client.get_masterchain_info()
    last = info["last"]
    seqno = last["seqno"]
    state = await client.raw_get_account_state(wallet)
    newest = state["last_transaction_id"]
    source, destination = facts["source"], facts["destination"]

    await call("sync_tonlib", client.sync_tonlib(), lambda a: a["seqno"] >= seqno)
    await call("get_masterchain_info", client.get_masterchain_info(), lambda a: a["last"]["seqno"] >= seqno)
    await call("lookup_block by seqno", client.lookup_block(MASTER, WHOLE, seqno=seqno), lambda a: a["root_hash"])
    await call("lookup_block by lt", client.lookup_block(0, WHOLE, lt=int(newest["lt"])), lambda a: a["seqno"])
    await call("lookup_block by time", client.lookup_block(MASTER, WHOLE, unixtime=facts["utime"]), lambda a: a["seqno"])
    await call("get_block_header", client.get_block_header(MASTER, WHOLE, seqno), lambda a: a["id"]["file_hash"])
    await call("get_shards", client.get_shards(seqno), lambda a: len(a["shards"]))
    await call(
        "get_masterchain_block_signatures",
        client.get_masterchain_block_signatures(seqno - 1),
        lambda a: len(a["signatures"]),
    )
    shards = await client.get_shards(seqno)
    shard = shards["shards"][0]
    await call(
        "get_shard_block_proof",
        client.get_shard_block_proof(0, WHOLE, shard["seqno"] - 1, from_seqno=seqno),
        lambda a: len(a["links"]) > 0,
    )
    await call("get_out_msg_queue_sizes", client.get_out_msg_queue_sizes(), lambda a: len(a["shards"]))
    block = facts["block"]
    await call(
        "get_block_transactions",
        client.get_block_transactions(0, WHOLE, block, 20),
        lambda a: len(a["transactions"]),
    )
    await call(
        "get_block_transactions_ext",
        client.get_block_transactions_ext(0, WHOLE, block, 20),
        lambda a: len(a["transactions"]),
    )
    full = await client.lookup_block(0, WHOLE, seqno=block)
    await call("raw_get_block_transactions", client.raw_get_block_transactions(full, 5, None), lambda a: a["req_count"])
    await call(
        "raw_get_block_transactions_ext",
        client.raw_get_block_transactions_ext(full, 5, None),
        lambda a: a["req_count"],
    )
    await call("raw_get_account_state", client.raw_get_account_state(wallet), lambda a: a["balance"])
    await call("raw_get_account_state before", client.raw_get_account_state(wallet, seqno - 3), lambda a: a["balance"])
    await call("get_shard_account_cell", client.get_shard_account_cell(wallet), lambda a: len(a["bytes"]) > 0)
    await call("generic_get_account_state", client.generic_get_account_state(wallet), lambda a: a["account_state"]["@type"])
    await call("raw_run_method", client.raw_run_method(wallet, "seqno", []), lambda a: a["stack"])
    await call(
        "raw_run_method before",
        client.raw_run_method(jetton, "get_jetton_data", [], seqno - 3),
        lambda a: [a["exit_code"], len(a["stack"])],
    )
    await call("get_token_data", client.get_token_data(jetton, skip_verification=True), lambda a: a["contract_type"])
    await call("get_jetton_wallet_address", client.get_jetton_wallet_address(owner, jetton))
    await call("get_nft_item_address", client.get_nft_item_address(facts["collection"], 0))
    await call("get_config_param", client.get_config_param(34, seqno), lambda a: len(a["config"]["bytes"]) > 0)
    await call("get_config_all", client.get_config_all(seqno), lambda a: len(a["config"]["bytes"]) > 0)
    await call("get_libraries", client.get_libraries([to_hash("11" * 32)]), lambda a: a["result"])
    await call("get_transactions", client.get_transactions(wallet, limit=30), lambda a: [t["transaction_id"]["lt"] for t in a])
    await call(
        "raw_get_transactions",
        client.raw_get_transactions(wallet, newest["lt"], base64.b64decode(newest["hash"]).hex()),
        lambda a: a["transactions"][0]["transaction_id"]["lt"],
    )
    await call(
        "try_locate_tx_by_incoming_message",
        client.try_locate_tx_by_incoming_message(source, destination, facts["created"]),
        lambda a: a["transaction_id"]["lt"],
    )
    await call(
        "try_locate_tx_by_outcoming_message",
        client.try_locate_tx_by_outcoming_message(source, destination, facts["created"]),
        lambda a: a["transaction_id"]["lt"],
    )
    bodies = [base64.b64decode(body) for body in facts["bodies"]]
    messages = [base64.b64decode(message) for message in facts["messages"]]
    await call(
        "raw_estimate_fees",
        client.raw_estimate_fees(wallet, bodies[0]),
        lambda a: a["source_fees"]["gas_fee"] > 0,
    )
    await call("raw_create_and_send_message", client.raw_create_and_send_message(wallet, bodies[0]), lambda a: a["@type"])
    await call("raw_create_and_send_query", client.raw_create_and_send_query(wallet, bodies[1]), lambda a: a["@type"])
    await call("raw_send_message", client.raw_send_message(messages[2]), lambda a: a["@type"])
    await call("raw_send_message_return_hash", client.raw_send_message_return_hash(messages[3]), lambda a: a["@type"])
    await call("raw_send_message: stale", client.raw_send_message(base64.b64decode(facts["stale"])))
    await client.close()


asyncio.run(main())
