// What `getExtendedAddressInformation` returns of contracts it recognizes by their code.

import { z } from 'zod'
import { AccountAddress, CellText, MaybeHash } from './tonlib.ts'

const id = z.int().min(0).describe('Wallet id (subwallet number).')
const nano = (what: string) => z.number().describe(`${what}, nanotons.`)

const Limit = z
  .object({
    '@type': z.literal('rwallet.limit'),
    seconds: z.int().describe('Seconds after `start_at` from which this limit counts.'),
    value: nano('Amount that stays locked'),
  })
  .meta({ id: 'RestrictedWalletLimit', description: 'A step of an unlocking schedule.' })

const RestrictedWalletConfig = z
  .object({
    '@type': z.literal('rwallet.config'),
    start_at: z.int().describe('Unix seconds the schedule starts at; 0 before it is started.'),
    limits: z.array(Limit).describe('Locked amounts by time.'),
  })
  .meta({ id: 'RestrictedWalletConfig', description: 'Unlocking schedule of a restricted wallet.' })

const numbered = <T extends string>(type: T) =>
  z.object({
    '@type': z.literal(type),
    wallet_id: id,
    seqno: z.int().min(0).describe('Number the next message must have.'),
  })

const signed = <T extends string>(type: T) =>
  z.object({
    '@type': z.literal(type),
    signed_A: z.boolean().describe('Whether Alice has signed.'),
    signed_B: z.boolean().describe('Whether Bob has signed.'),
    min_A: nano('Minimum deposit of Alice, or what she promised'),
    min_B: nano('Minimum deposit of Bob, or what he promised'),
    expire_at: z.int().describe('Unix seconds this phase ends at.'),
    A: nano("Alice's deposit"),
    B: nano("Bob's deposit"),
  })

export const PaymentChannelState = z
  .discriminatedUnion('@type', [
    signed('pchan.stateInit').meta({ id: 'PaymentChannelInit', description: 'Waiting for both deposits.' }),
    signed('pchan.stateClose').meta({ id: 'PaymentChannelClose', description: 'Being closed.' }),
    z
      .object({ '@type': z.literal('pchan.statePayout'), A: nano('Paid to Alice'), B: nano('Paid to Bob') })
      .meta({ id: 'PaymentChannelPayout', description: 'Closed and paid out.' }),
  ])
  .meta({ id: 'PaymentChannelState', description: 'Phase of a payment channel.' })

const PaymentChannelConfig = z
  .object({
    '@type': z.literal('pchan.config'),
    alice_public_key: z.string().describe('Base64url of a tag, the Ed25519 key and a CRC16; 48 characters.'),
    alice_address: AccountAddress.describe('Account Alice is paid to.'),
    bob_public_key: z.string().describe('Base64url of a tag, the Ed25519 key and a CRC16; 48 characters.'),
    bob_address: AccountAddress.describe('Account Bob is paid to.'),
    init_timeout: z.int().describe('Seconds both have to deposit.'),
    close_timeout: z.int().describe('Seconds the other side has to object to a closing.'),
    channel_id: z.number().describe('Number the channel was made with, 64 bits; large ones are rounded.'),
  })
  .meta({ id: 'PaymentChannelConfig', description: 'Terms of a payment channel.' })

export const ExtendedAccountState = z
  .discriminatedUnion('@type', [
    z
      .object({
        '@type': z.literal('uninited.accountState'),
        frozen_hash: MaybeHash.describe('Hash of the state of a frozen account, base64; else empty.'),
      })
      .meta({ id: 'UninitedAccountState', description: 'An account without code.' }),
    z
      .object({
        '@type': z.literal('raw.accountState'),
        code: CellText.describe('Code of the contract, base64 BoC.'),
        data: CellText.describe('Data of the contract, base64 BoC; empty when absent.'),
        frozen_hash: MaybeHash.describe('Always empty: a frozen account has no code.'),
      })
      .meta({ id: 'RawAccountState', description: 'A contract of unknown code.' }),
    numbered('wallet.v3.accountState').meta({ id: 'WalletV3State', description: 'Wallet v3.' }),
    numbered('wallet.v4.accountState').meta({ id: 'WalletV4State', description: 'Wallet v4.' }),
    numbered('wallet.highload.v1.accountState').meta({
      id: 'HighloadWalletV1State',
      description: 'Highload wallet v1.',
    }),
    z
      .object({ '@type': z.literal('wallet.highload.v2.accountState'), wallet_id: id })
      .meta({ id: 'HighloadWalletV2State', description: 'Highload wallet v2.' }),
    z
      .object({ '@type': z.literal('dns.accountState'), wallet_id: id })
      .meta({ id: 'DnsAccountState', description: 'Manual DNS contract.' }),
    numbered('rwallet.accountState')
      .extend({
        unlocked_balance: nano('What can be spent now'),
        config: RestrictedWalletConfig.describe('Schedule by which the balance is unlocked.'),
      })
      .meta({ id: 'RestrictedWalletState', description: 'Wallet whose balance is unlocked by and by.' }),
    z
      .object({
        '@type': z.literal('pchan.accountState'),
        config: PaymentChannelConfig.describe('What both sides agreed on.'),
        state: PaymentChannelState.describe('Phase the channel is in.'),
        description: z.string().describe('`state` printed as TL-B.'),
      })
      .meta({ id: 'PaymentChannelAccountState', description: 'Payment channel of the old kind.' }),
  ])
  .meta({ id: 'ExtendedAccountState', description: 'What is stored by a contract, by its kind.' })
