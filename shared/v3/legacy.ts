// Methods v3 took over from v2, in v3's own shapes and statuses.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { listedWords } from '../listedWords.ts'
import { method, type Route } from '../method.ts'
import { Boc, PackableAddress } from '../primitives.ts'
import { TRANSFER } from '../v2/messages.ts'
import { sendingV2 } from '../v2/sending.ts'
import { MasterSeqno } from '../v2/tonlib.ts'
import { WalletType } from '../walletType.ts'
import { type PlainStackEntry, StackResult } from './stack.ts'
import { Base64Hash, Digits, readsV3 } from './values.ts'

const group = 'legacy'

const posts = (name: string): readonly Route[] => [{ verb: 'POST', path: `/api/v3/${name}` }]

const account = z.strictObject({
  address: PackableAddress.describe('The account, in raw or friendly form.'),
  seqno: MasterSeqno,
  use_v2: z
    .boolean()
    .default(false)
    .meta({ description: 'Read the newest state from the node, as v2 does, instead of the last indexed one.' }),
})

const ADDRESS_NEEDED = { kind: 'missing', words: { address: 'address of account is required' } } as const

const Status = z.enum(['active', 'uninit', 'frozen', 'nonexist', 'uninitialized']).meta({
  id: 'LegacyStatus',
  description: 'Status; an account that does not exist is `uninit` in the index and `uninitialized` with `use_v2`.',
})

const MaybeBag = z.string().nullable().meta({ description: 'Base64 of a bag of cells.' })

const last = {
  last_transaction_lt: Digits.describe('Logical time of the newest transaction; 0 for none.'),
  last_transaction_hash: Base64Hash.describe('Newest transaction; zeros for none.'),
}

const { WALLET } = exampleValues

const lastTransaction = {
  last_transaction_lt: '60056271000008' as const,
  last_transaction_hash: 'M/cybIpwmWf1YRociLn0xS4uyV/lm18Jor+JFilFu3E=',
}

const Information = z
  .object({
    balance: Digits.describe('Balance in nanotons.'),
    code: MaybeBag.describe('Code, base64 BoC; null for none.'),
    data: MaybeBag.describe('Data, base64 BoC; null for none.'),
    ...last,
    frozen_hash: Base64Hash.nullable().describe('State hash of a frozen account, else null.'),
    status: Status.describe('Status of the account.'),
  })
  .meta({ id: 'V2AddressInformation' })

const WalletInformation = z
  .object({
    balance: Digits.describe('Balance in nanotons.'),
    wallet_type: WalletType.optional().describe('Wallet version; absent before deployment.'),
    seqno: z.int().optional().describe('Sequence number of the next message.'),
    wallet_id: z.int().optional().describe('Wallet id; wallets v3 and later.'),
    ...last,
    status: Status.describe('Status of the account.'),
  })
  .meta({ id: 'V2WalletInformation', description: 'A wallet; before its deployment without version, seqno and id.' })

const addressInformation = (name: 'addressInformation' | 'account') =>
  method({
    summary: 'Balance, status, code and data of an account; zeros for an unknown account.',
    description:
      name === 'account'
        ? 'Another name of v3.addressInformation.'
        : 'For one account, from the index or with `use_v2` from the head of the chain. For several accounts use v3.accountStates.',
    group,
    params: account,
    result: Information,
    rest: readsV3(name),
    freshness: 'live',
    whenMissing: ADDRESS_NEEDED,
    example: {
      params: { address: WALLET },
      result: {
        balance: '71504017139',
        code: exampleValues.CELL_WITHOUT_CHECKSUM,
        data: exampleValues.CELL_WITHOUT_CHECKSUM,
        ...lastTransaction,
        frozen_hash: null,
        status: 'active',
      },
    },
  })

const walletInformation = (name: 'walletInformation' | 'wallet') =>
  method({
    summary: 'Version, next seqno and balance of a wallet. 409 for an account that is not a wallet.',
    description:
      name === 'wallet'
        ? 'Another name of v3.walletInformation.'
        : 'For one wallet, from the index or with `use_v2` from the head of the chain. For several accounts use v3.walletStates.',
    group,
    params: account,
    result: WalletInformation,
    rest: readsV3(name),
    freshness: 'live',
    whenMissing: ADDRESS_NEEDED,
    example: {
      params: { address: WALLET },
      result: {
        balance: '71504017139',
        wallet_type: 'wallet v4 r2',
        seqno: 218,
        wallet_id: 698983191,
        ...lastTransaction,
        status: 'active',
      },
    },
  })

const Fees = z
  .object({
    in_fwd_fee: z.int().describe('Import of the message, in nanotons.'),
    storage_fee: z.int().describe('Rent, in nanotons.'),
    gas_fee: z.int().describe('Price of the gas, in nanotons.'),
    fwd_fee: z.int().describe('Forwarding of sent messages, in nanotons.'),
  })
  .meta({ id: 'V2EstimatedFee', description: 'Fees in nanotons.' })

/** More than the TVM takes at once. */
const MOST_ARGUMENTS = 8000

/** Any text: the refusal names the wrong one. */
const ArgumentType = listedWords(z.string().max(32), ['num', 'cell', 'slice'])

const Argument = z
  .object({
    type: ArgumentType.describe('`num`, `cell` or `slice`.'),
    value: z.unknown().describe('Number as text, or base64 BoC.'),
  })
  .meta({ id: 'PlainStackArgument', description: '`num`, hexadecimal with 0x or decimal; `cell` or `slice`, base64.' })

const seqno: PlainStackEntry = { type: 'num', value: '0xd9' }

export const legacyV3 = {
  'v3.addressInformation': addressInformation('addressInformation'),
  'v3.account': addressInformation('account'),
  'v3.walletInformation': walletInformation('walletInformation'),
  'v3.wallet': walletInformation('wallet'),

  'v3.message': method({
    summary: 'Sends an external message and returns the hashes to find it by.',
    description:
      'Same as sendBocReturnHash: a reply means that the contract accepts the message now, not that it is in a block. Wait for its transaction with v3.transactionsByMessage.',
    group,
    params: z.strictObject({ boc: Boc.describe('Signed external message, base64 BoC.') }),
    result: z
      .object({
        message_hash: Base64Hash.describe('Hash of the message as sent.'),
        message_hash_norm: Base64Hash.describe('Normalized hash, equal for every serialization of the message.'),
      })
      .meta({ id: 'V2SendMessageResult', description: 'Hashes by which the message can be found.' }),
    rest: posts('message'),
    freshness: 'live',
    whenMissing: { kind: 'missing', words: { boc: 'boc is required' }, orEmpty: true },
    example: {
      params: { boc: TRANSFER },
      result: {
        message_hash: exampleValues.HASH,
        message_hash_norm: exampleValues.OTHER_HASH,
      },
    },
  }),

  'v3.estimateFee': method({
    summary: 'Estimates the fees of an external message. Nothing is sent.',
    description:
      'Same as estimateFee: runs the message in the TVM against the newest state. The messages the contract sends are not followed, so `destination_fees` is empty.',
    group,
    params: sendingV2.estimateFee.params.extend({
      ignore_chksig: z.boolean().default(false).describe('Accept any signature.'),
    }),
    result: z
      .object({
        source_fees: Fees.describe('Fees of the account, in nanotons.'),
        destination_fees: z.array(Fees).describe('Fees of the recipients, in nanotons.'),
      })
      .meta({ id: 'V2EstimateFeeResult' }),
    rest: posts('estimateFee'),
    freshness: 'live',
    example: {
      params: { address: WALLET, body: exampleValues.CELL, ignore_chksig: true },
      result: {
        source_fees: { in_fwd_fee: 667200, storage_fee: 1204, gas_fee: 1197600, fwd_fee: 400000 },
        destination_fees: [],
      },
    },
  }),

  'v3.runGetMethod': method({
    summary: 'Runs a get-method. A failure is a result too, with its exit code.',
    description:
      'Same as runGetMethod, with stack entries of another form: `num` is hexadecimal text. For new code use runGetMethodStd, which has typed entries.',
    group,
    params: z.strictObject({
      address: PackableAddress.describe('The contract to run.'),
      method: z.string().min(1).max(128).describe('Name of the get-method, or its id as digits.'),
      stack: z.array(Argument).max(MOST_ARGUMENTS).default([]).describe('Arguments, bottom of the stack first.'),
      seqno: MasterSeqno,
    }),
    result: z
      .object({
        gas_used: z.int().describe('Gas spent.'),
        exit_code: z.int().describe('TVM exit code; 0 and 1 mean success.'),
        stack: z.array(StackResult).describe('Values returned, bottom of the stack first.'),
      })
      .meta({ id: 'RunGetMethod' }),
    rest: posts('runGetMethod'),
    freshness: 'block',
    whenMissing: {
      kind: 'missing',
      words: { address: 'address is required', method: 'method is required' },
      orEmpty: true,
    },
    example: {
      params: { address: WALLET, method: 'seqno', stack: [] },
      result: { gas_used: 549, exit_code: 0, stack: [seqno] },
    },
  }),
}
