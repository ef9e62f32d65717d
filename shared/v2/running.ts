import { z } from 'zod'
import { method, postsV2 } from '../method.ts'
import { Address, Int32, Seqno } from '../primitives.ts'
import { LegacyArgument, LegacyEntry, StackEntry } from './stack.ts'
import { BlockIdExt } from './tonlib.ts'
import { TransactionId } from './transaction.ts'

const group = 'get-methods'

/** More than the TVM takes at once. */
const MOST_ARGUMENTS = 8000

const run = {
  address: Address,
  method: z
    .union([z.string().min(1).max(128), Int32])
    .meta({ description: 'The name of a get-method, or its number; a text of digits is a number too.' }),
  seqno: Seqno.optional().meta({ description: 'Masterchain block to run at; the newest when left out.' }),
}

const WALLET = '0:a9d768fabaa98823a00533997be583369d0ea125e71aa2d0d9cad36d9cb8d118'

export const running = {
  runGetMethod: method({
    summary: 'Runs a get-method. One that fails is an answer too: its exit code says so.',
    group,
    params: z.strictObject({
      address: run.address,
      method: run.method,
      stack: z.array(LegacyArgument).max(MOST_ARGUMENTS).default([]).meta({ description: 'Arguments, bottom first.' }),
      seqno: run.seqno,
    }),
    result: z
      .object({
        '@type': z.literal('smc.runResult'),
        gas_used: z.int(),
        stack: z.array(LegacyEntry),
        exit_code: z.int(),
        block_id: BlockIdExt,
        last_transaction_id: TransactionId,
      })
      .meta({ id: 'RunResult' }),
    rest: postsV2('runGetMethod'),
    freshness: 'block',
    example: {
      params: { address: WALLET, method: 'seqno', stack: [] },
      result: {
        '@type': 'smc.runResult',
        gas_used: 618,
        stack: [['num', '0x0']],
        exit_code: 0,
        block_id: {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '-9223372036854775808',
          seqno: 48213377,
          root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
          file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
        },
        last_transaction_id: {
          '@type': 'internal.transactionId',
          lt: '47670702000009',
          hash: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=',
        },
      },
    },
  }),

  runGetMethodStd: method({
    summary: 'Runs a get-method, with arguments and results in the typed form.',
    group,
    params: z.strictObject({
      address: run.address,
      method: run.method,
      stack: z.array(StackEntry).max(MOST_ARGUMENTS).default([]).meta({ description: 'Arguments, bottom first.' }),
      seqno: run.seqno,
    }),
    result: z
      .object({
        '@type': z.literal('smc.runResult'),
        gas_used: z.int(),
        stack: z.array(StackEntry),
        exit_code: z.int(),
      })
      .meta({ id: 'RunResultStd' }),
    rest: postsV2('runGetMethodStd'),
    freshness: 'block',
    example: {
      params: { address: WALLET, method: 'seqno', stack: [] },
      result: {
        '@type': 'smc.runResult',
        gas_used: 618,
        stack: [{ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '0' } }],
        exit_code: 0,
      },
    },
  }),
}
