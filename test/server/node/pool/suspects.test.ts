// What the log says of a server whose answer is not proven.

import { expect, test } from 'vitest'
import { troubleText } from '../../../../server/indexer/trouble.ts'
import { LiteError, ProofError } from '../../../../server/node/index.ts'
import { Suspects } from '../../../../server/node/pool/suspects.ts'

function open(now = () => 0) {
  const facts: object[] = []
  const liars: string[] = []
  const note = (one: object): void => void facts.push(one)
  const suspects = new Suspects({
    clock: { now },
    log: { info: note, warn: note, error: note },
    onLiar: (server, reason) => liars.push(`${server}: ${reason}`),
  })
  const member = {
    address: { name: 'liar', host: 'liar', port: 1, key: new Uint8Array(32), slices: null },
    dropped: null,
    drop: () => null,
  }
  return { facts, liars, suspects, member }
}

const about = { workchain: -1, shard: 1n << 63n, seqno: 7, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }

test('behavior: the call is named that was made', () => {
  const { facts, liars, suspects, member } = open()
  const error = new ProofError('hash', 'another hash')
  suspects.convict({ member, error, call: { verb: 'header', kind: 'small', options: {}, about } })
  expect(facts).toEqual([{ server: 'liar', verb: 'header', seqno: 7, reason: 'another hash' }])
  expect(liars).toEqual(['liar: its answer to header is not proven: another hash'])
})

test('behavior: also by a caller that made none, but waited for the call of another', () => {
  const { facts, suspects, member } = open()
  const error = new ProofError('signature', 'not signed')
  error.verb = 'blockProof'
  suspects.convict({ member, error, call: null })
  expect(facts).toMatchObject([{ verb: 'blockProof' }])
})

test('behavior: without a call it is what the server reports by itself', () => {
  const { facts, suspects, member } = open()
  suspects.warn({ member, error: new ProofError('trust', 'another network'), call: null })
  expect(facts).toMatchObject([{ server: 'liar', verb: 'masterchainInfo' }])
})

test('behavior: one that is left out already is not left out again', () => {
  const { facts, liars, suspects, member } = open()
  suspects.convict({
    member: { ...member, dropped: 'a lie' },
    error: new ProofError('hash', 'another hash'),
    call: null,
  })
  expect([facts, liars]).toEqual([[], []])
})

test('behavior: answers without proof are a line of the log each minute at most', () => {
  let ms = 0
  const { facts, suspects, member } = open(() => ms)
  for (ms = 0; ms <= 120_000; ms += 1_000)
    suspects.warn({ member, error: new ProofError('hash', 'another hash'), call: null })
  expect(facts).toHaveLength(3)
})

test('behavior: a failure that is one word says who gave it, and to what', () => {
  const error = new LiteError('timeout', 'timeout')
  expect(troubleText(error)).toBe('timeout')
  error.asked = { server: '10.0.0.1:4000', verb: 'waitMasterchainSeqno', seqno: null }
  expect(troubleText(error)).toBe('timeout, from 10.0.0.1:4000 to waitMasterchainSeqno')
  error.asked = { server: '10.0.0.1:4000', verb: 'block', seqno: 12 }
  expect(troubleText(error)).toBe('timeout, from 10.0.0.1:4000 to block at block 12')
})
