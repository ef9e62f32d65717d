import { z } from 'zod'
import { Digits } from '../values.ts'
import { account, amount, flag, queryId } from './fields.ts'

const ends = { source: account('Caller.'), destination: account('Contract or recipient.') }
const value = amount('Amount in nanotons.')

const WorkerPayout = z
  .object({
    ...queryId,
    ...ends,
    payout_type: z.enum(['regular', 'last']).describe('`last` closes the worker contract.'),
    new_tokens: Digits.describe('Tokens paid for.'),
    worker_state: z.int().describe('State of the worker contract.'),
    worker_tokens: Digits.describe('Tokens of the worker in all.'),
    amount: value,
  })
  .meta({ id: 'CocoonWorkerPayoutDetails' })

const charge = {
  ...queryId,
  ...ends,
  new_tokens_used: Digits.describe('Tokens used in all.'),
  expected_address: account('Client contract the proxy expects.'),
}

const request = { ...queryId, ...ends }
const ofProxy = { ...queryId, destination: account('Root contract.') }
const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id })

export const cocoon = {
  cocoon_worker_payout: WorkerPayout,
  cocoon_proxy_payout: named('CocoonProxyPayoutDetails', request),
  cocoon_proxy_charge: named('CocoonProxyChargeDetails', charge),
  cocoon_grant_refund: named('CocoonGrantRefundDetails', { ...charge, amount: value }),
  cocoon_client_top_up: named('CocoonClientTopUpDetails', { ...request, amount: value }),
  cocoon_register_proxy: named('CocoonRegisterProxyDetails', ofProxy),
  cocoon_unregister_proxy: named('CocoonUnregisterProxyDetails', {
    ...ofProxy,
    seqno: z.int().describe('Seqno of the proxy.'),
  }),
  cocoon_client_register: named('CocoonClientRegisterDetails', {
    ...request,
    nonce: amount('Number chosen by the client.'),
  }),
  cocoon_client_change_secret_hash: named('CocoonChangeSecretHashDetails', {
    ...request,
    new_secret_hash: z.string().describe('New hash, hex.'),
  }),
  cocoon_client_request_refund: named('CocoonRequestRefundDetails', {
    ...request,
    via_wallet: flag('True when requested by the wallet of the owner.'),
  }),
  cocoon_client_increase_stake: named('CocoonIncreaseStakeDetails', {
    ...request,
    new_stake: amount('New stake in nanotons.'),
    amount: value,
  }),
  cocoon_client_withdraw: named('CocoonClientWithdrawDetails', {
    ...request,
    withdraw_amount: amount('Nanotons paid out.'),
    amount: value,
  }),
}
