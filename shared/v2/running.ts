import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { listUntilWrong } from '../listUntilWrong.ts'
import { method, postsV2 } from '../method.ts'
import { AnyAddress, Int32, Seqno } from '../primitives.ts'
import { LegacyArgument, LegacyEntry, TvmStackEntry } from './stack.ts'
import { blockIdExample, TonBlockIdExt, TransactionId, transactionIdExample } from './tonlib.ts'

const group = 'get-methods'

/** More than the TVM accepts. */
const MOST_ARGUMENTS = 8000

const run = {
  address: AnyAddress.describe('The contract to run.'),
  method: z
    .union([z.string().min(1).max(128), Int32])
    .meta({ description: 'Name of the get-method or its number; digits in a text are a number.' }),
  seqno: Seqno.optional().meta({ description: 'Seqno of the masterchain block to run at; default: the newest.' }),
}

const { WALLET } = exampleValues

const gasUsed = z.int().describe('Gas the run took.')
const exitCode = z.int().describe('0 or 1 on success; -13 when the contract is not deployed; else the code it threw.')

export const runningV2 = {
  runGetMethod: method({
    summary: 'Runs a get-method of a contract.',
    description:
      'A method that fails is a result, not an error: check `exit_code`. The stack has the form of pairs most libraries read; runGetMethodStd has typed entries.',
    group,
    params: z.strictObject({
      address: run.address,
      method: run.method,
      stack: listUntilWrong(LegacyArgument)
        .max(MOST_ARGUMENTS)
        .default([])
        .describe('Arguments as pairs, first argument first.'),
      seqno: run.seqno,
    }),
    result: z
      .object({
        '@type': z.literal('smc.runResult'),
        gas_used: gasUsed,
        stack: z.array(LegacyEntry).describe('Returned values as pairs, first value first.'),
        exit_code: exitCode,
        block_id: TonBlockIdExt.describe('Block the contract was run at.'),
        last_transaction_id: TransactionId.describe('Newest transaction of the contract at that block.'),
      })
      .meta({ id: 'RunResult', description: 'Outcome of a get-method.' }),
    rest: postsV2('runGetMethod'),
    freshness: 'block',
    example: {
      params: { address: WALLET, method: 'seqno', stack: [] },
      result: {
        '@type': 'smc.runResult',
        gas_used: 618,
        stack: [['num', '0x0']],
        exit_code: 0,
        block_id: blockIdExample,
        last_transaction_id: transactionIdExample,
      },
    },
  }),

  runGetMethodStd: method({
    summary: 'Runs a get-method of a contract, with typed stack entries.',
    description:
      'A method that fails is a result, not an error: check `exit_code`. Arguments and results have one form.',
    group,
    params: z.strictObject({
      address: run.address,
      method: run.method,
      stack: listUntilWrong(TvmStackEntry).max(MOST_ARGUMENTS).default([]).describe('Arguments, first argument first.'),
      seqno: run.seqno,
    }),
    result: z
      .object({
        '@type': z.literal('smc.runResult'),
        gas_used: gasUsed,
        stack: z.array(TvmStackEntry).describe('Returned values, first value first.'),
        exit_code: exitCode,
      })
      .meta({ id: 'RunResultStd', description: 'Outcome of a get-method, typed.' }),
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
