// What `getExtendedAddressInformation` tells of the contracts it knows by their code.

import { z } from 'zod'
import { AccountAddress, CellText, MaybeHash } from './tonlib.ts'

const id = z.int().min(0)

const Limit = z
  .object({ '@type': z.literal('rwallet.limit'), seconds: z.int(), value: z.number() })
  .meta({ id: 'RestrictedWalletLimit' })

const RestrictedWalletConfig = z
  .object({ '@type': z.literal('rwallet.config'), start_at: z.int(), limits: z.array(Limit) })
  .meta({ id: 'RestrictedWalletConfig' })

const numbered = <T extends string>(type: T) =>
  z.object({ '@type': z.literal(type), wallet_id: id, seqno: z.int().min(0) })

const signed = <T extends string>(type: T) =>
  z.object({
    ...{ '@type': z.literal(type), signed_A: z.boolean(), signed_B: z.boolean() },
    ...{ min_A: z.number(), min_B: z.number(), expire_at: z.int(), A: z.number(), B: z.number() },
  })

export const PaymentChannelState = z
  .discriminatedUnion('@type', [
    signed('pchan.stateInit').meta({ id: 'PaymentChannelInit' }),
    signed('pchan.stateClose').meta({ id: 'PaymentChannelClose' }),
    z
      .object({ '@type': z.literal('pchan.statePayout'), A: z.number(), B: z.number() })
      .meta({ id: 'PaymentChannelPayout' }),
  ])
  .meta({ id: 'PaymentChannelState' })

const PaymentChannelConfig = z
  .object({
    '@type': z.literal('pchan.config'),
    alice_public_key: z.string(),
    alice_address: AccountAddress,
    bob_public_key: z.string(),
    bob_address: AccountAddress,
    init_timeout: z.int(),
    close_timeout: z.int(),
    channel_id: z.number(),
  })
  .meta({ id: 'PaymentChannelConfig' })

export const ExtendedAccountState = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('uninited.accountState'), frozen_hash: MaybeHash })
      .meta({ id: 'UninitedAccountState' }),
    z
      .object({ '@type': z.literal('raw.accountState'), code: CellText, data: CellText, frozen_hash: MaybeHash })
      .meta({ id: 'RawAccountState' }),
    numbered('wallet.v3.accountState').meta({ id: 'WalletV3State' }),
    numbered('wallet.v4.accountState').meta({ id: 'WalletV4State' }),
    numbered('wallet.highload.v1.accountState').meta({ id: 'HighloadWalletV1State' }),
    z
      .object({ '@type': z.literal('wallet.highload.v2.accountState'), wallet_id: id })
      .meta({ id: 'HighloadWalletV2State' }),
    z.object({ '@type': z.literal('dns.accountState'), wallet_id: id }).meta({ id: 'DnsAccountState' }),
    numbered('rwallet.accountState')
      .extend({
        unlocked_balance: z.number(),
        config: RestrictedWalletConfig,
      })
      .meta({ id: 'RestrictedWalletState' }),
    z
      .object({
        '@type': z.literal('pchan.accountState'),
        config: PaymentChannelConfig,
        state: PaymentChannelState,
        description: z.string(),
      })
      .meta({ id: 'PaymentChannelAccountState' }),
  ])
  .meta({ id: 'ExtendedAccountState' })
