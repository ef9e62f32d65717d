// Constructor ids as other clients and servers send them: what the lines of the schema come to.

import { expect, test } from 'vitest'
import { parseLine } from '../../../server/tl/tlGrammar.ts'
import { functionLines, packetLines, refusalLines, typeLines, wrapperLines } from '../../../server/tl/tlSchema.ts'

const WIRE = `
tcp.ping 4d082b9a tcp.pong dc69fb03 tcp.authentificate 445bab12 tcp.authentificationNonce e35d4ab6
tcp.authentificationComplete f7ad9ea6 pub.ed25519 4813b4c6 adnl.message.query b48bf97a adnl.message.answer 0fac8416
liteServer.query 798c06df liteServer.queryPrefix 72d3e686 liteServer.waitMasterchainSeqno baeab892
liteServer.error bba9e148 liteServer.serverBusy 092e9c55
tonNode.blockId b7cdb167 tonNode.blockIdExt 6752eb78 tonNode.zeroStateIdExt 1d7235ae liteServer.accountId 75a0e2c5`

const FUNCTIONS = `
getMasterchainInfo 89b5e62e getMasterchainInfoExt 70a671df getTime 16ad5a34 getVersion 232b940b getBlock 6377cf0d
getState ba6e2eb6 getBlockHeader 21ec069e sendMessage 690ad482 getAccountState 6b890e25 getAccountStatePrunned 5a698507
runSmcMethod 5cc65dd2 getShardInfo 46a2f425 getAllShardsInfo 74d3fd6b getOneTransaction d40f24ea
getTransactions 1c40e7a1 lookupBlock fac8f71e lookupBlockWithProof 9c045ff8 listBlockTransactions adfcc7da
listBlockTransactionsExt 0079dd5c getBlockProof 8aea9c44 getConfigAll 911b26b7 getConfigParams 2a111c19
getValidatorStats 091a58bc getLibraries d122b662 getLibrariesWithProof d97693bd getShardBlockProof 4ca60350
getOutMsgQueueSizes 7bc19c36 getBlockOutMsgQueueSize 8f6c7779 getDispatchQueueInfo 01e66bf3
getDispatchQueueMessages bbfd6439 nonfinal.getPendingShardBlocks 5a8ee82c`

const ANSWERS = `
masterchainInfo 85832881 masterchainInfoExt a8cce0f5 currentTime e953000d version 5a0491e5 blockData a574ed6c
blockState abaddc0c blockHeader 752d8219 sendMsgStatus 3950e597 accountState 7079c751 runMethodResult a39a616b
shardInfo 9fe6cd84 allShardsInfo 098fe72d transactionInfo 0edeed47 transactionList 6f26c60b
transactionMetadata ff706385 transactionId b12f65af transactionId3 2c81da77 blockTransactions bd8cad2b
blockTransactionsExt fb8ffce4 signature a3def855 signatureSet.ordinary f644a6e6 signatureSet.simplex ac249800
blockLinkBack ef7e1bef blockLinkForward 520fce1c partialBlockProof 8ed0d2c1 configInfo ae7b272f
validatorStats b9f796d8 libraryEntry 8aff2446 libraryResult 117ab96b libraryResultWithProof 10a927bf
shardBlockLink d30dcf72 shardBlockProof 1d62a07a lookupBlockResult 99786be7 outMsgQueueSize a7c64c85
outMsgQueueSizes f8504a03 blockOutMsgQueueSize 8acdbe1b accountDispatchQueueInfo 9b52aabb dispatchQueueInfo 5d1132d0
dispatchQueueMessage 84c423ea dispatchQueueMessages 4b407931 nonfinal.pendingShardBlocks 1fd06e4d`

const pairs = (text: string, prefix = ''): [string, string][] =>
  [...text.matchAll(/(\S+) ([0-9a-f]{8})/g)].map(([, name, id]) => [`${prefix}${name}`, id ?? ''])

const lines = [...typeLines, ...packetLines, ...wrapperLines, ...refusalLines, ...functionLines]

test('every constructor has the id of the wire', () => {
  const ours = lines.map(parseLine).map(({ name, id }): [string, string] => [name, id.toString(16).padStart(8, '0')])
  const wire = [...pairs(WIRE), ...pairs(FUNCTIONS, 'liteServer.'), ...pairs(ANSWERS, 'liteServer.')]
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(wire))
  expect(new Set(ours.map(([, id]) => id)).size).toBe(lines.length)
})

test('three lines state an id that is not that of their text', () => {
  const stated = lines.filter((line) => /^\S+#[0-9a-f]{8} /.test(line))
  const ofText = stated.map((line) => parseLine(line.replace(/#[0-9a-f]{8} /, ' ')).id.toString(16))
  expect(ofText.sort()).toEqual(['28897ef9', '79e48753', 'ab101c41'])
})
