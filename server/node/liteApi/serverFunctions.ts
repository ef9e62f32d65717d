// The server's head, clock and version, and sending messages.

import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { type ServedFunction, verb } from './verb.ts'
import { readBlock, readZeroState, unsigned, writeBlock, writeZeroState } from './wireNames.ts'

/** Bit for the head of the shard client, which is the same as the head here. */
const SHARD_CLIENT = 1
/** Accepted for broadcast to validators. */
const TAKEN = 1

const pendingShardBlocks: ServedFunction<'nonfinal.getPendingShardBlocks'> = {
  answer: () => Promise.reject(new LiteError('failed', 'query is not allowed')),
}

export const serverFunctions = {
  'nonfinal.getPendingShardBlocks': pendingShardBlocks,

  getMasterchainInfo: verb('getMasterchainInfo', {
    request: () => ({}),
    serve: (server, _, options) => server.masterchainInfo(options),
    write: ({ last, stateRootHash, init }: Pick<MasterchainInfo, 'last' | 'stateRootHash' | 'init'>) => ({
      last: writeBlock(last),
      state_root_hash: stateRootHash,
      init: writeZeroState(init),
    }),
    read: ({ last, state_root_hash, init }) => ({
      last: readBlock(last),
      stateRootHash: state_root_hash,
      init: readZeroState(init),
    }),
  }),

  getTime: verb('getTime', {
    request: () => ({}),
    serve: async (server, _, options) => (await server.masterchainInfo(options)).now,
    write: (now: number) => ({ now }),
    read: ({ now }) => unsigned(now),
  }),

  getVersion: verb('getVersion', {
    request: () => ({}),
    serve: (server, _, options) => server.masterchainInfo(options),
    write: ({ version, capabilities, now }: Pick<MasterchainInfo, 'version' | 'capabilities' | 'now'>) => ({
      mode: 0,
      version,
      capabilities,
      now,
    }),
    read: ({ version, capabilities, now }) => ({ version, capabilities, now: unsigned(now) }),
  }),

  getMasterchainInfoExt: verb('getMasterchainInfoExt', {
    request: () => ({ mode: 0 }),
    serve: (server, { mode }, options) => {
      if ((mode & ~SHARD_CLIENT) !== 0) throw new LiteError('badQuery', 'unsupported getMasterchainInfo mode')
      return server.masterchainInfo(options)
    },
    write: (own: MasterchainInfo, { mode }) => ({
      mode,
      version: own.version,
      capabilities: own.capabilities,
      last: writeBlock(own.last),
      last_utime: own.lastUtime,
      now: own.now,
      state_root_hash: own.stateRootHash,
      init: writeZeroState(own.init),
    }),
    read: (answer) => ({
      last: readBlock(answer.last),
      lastUtime: unsigned(answer.last_utime),
      stateRootHash: answer.state_root_hash,
      init: readZeroState(answer.init),
      version: answer.version,
      capabilities: answer.capabilities,
      now: unsigned(answer.now),
    }),
  }),

  sendMessage: verb('sendMessage', {
    request: (message: Uint8Array) => ({ body: message }),
    serve: (server, { body }, options) => server.send(body, options),
    write: () => ({ status: TAKEN }),
    read: () => undefined,
  }),
}
