import { z } from 'zod'
import { Digits } from '../values.ts'
import { accountField, amountField, booleanField, queryId, usualFields } from './fields.ts'

const ends = { source: accountField('Caller.'), destination: accountField('Contract or recipient.') }
const value = usualFields.nanotons

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
  expected_address: accountField('Client contract the proxy expects.'),
}

const request = { ...queryId, ...ends }
const ofProxy = { ...queryId, destination: accountField('Root contract.') }
const named = <S extends z.ZodRawShape>(id: string, shape: S) => z.object(shape).meta({ id })

export const cocoonDetails = {
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
    nonce: amountField('Number chosen by the client.'),
  }),
  cocoon_client_change_secret_hash: named('CocoonChangeSecretHashDetails', {
    ...request,
    new_secret_hash: z.string().describe('New hash, hex.'),
  }),
  cocoon_client_request_refund: named('CocoonRequestRefundDetails', {
    ...request,
    via_wallet: booleanField('True when requested by the wallet of the owner.'),
  }),
  cocoon_client_increase_stake: named('CocoonIncreaseStakeDetails', {
    ...request,
    new_stake: amountField('New stake in nanotons.'),
    amount: value,
  }),
  cocoon_client_withdraw: named('CocoonClientWithdrawDetails', {
    ...request,
    withdraw_amount: amountField('Nanotons paid out.'),
    amount: value,
  }),
}
