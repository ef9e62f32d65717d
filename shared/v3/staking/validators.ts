import { z } from 'zod'
import { method } from '../../method.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import {
  bookExample,
  listExample,
  listFields,
  PublicKeyHex,
  Seconds,
  stakingExamples,
  transactionExample,
  transactionFields,
  validatorFilters,
  validatorsPage,
  windowFields,
  windowFilter,
  windowParams,
} from './parts.ts'

const group = 'validators'
const { POOL, KEY, ADNL } = stakingExamples

const StakeEventType = z.enum([
  'stake_accepted',
  'stake_rejected',
  'stake_recovered',
  'recover_requested',
  'recover_failed',
])

const StakeEvent = z
  .object({
    ...transactionFields,
    type: StakeEventType.describe('What happened.'),
    stake_holder_address: RawAddress.describe('Wallet or pool of the stake.'),
    validator_pubkey: PublicKeyHex.optional().describe('Public key; only of stakes that were offered.'),
    adnl_addr: PublicKeyHex.optional().describe('ADNL address; only of stakes that were offered.'),
    election_id: z.int().optional().describe('Election; only of stakes that were offered.'),
    query_id: Digits.optional().describe('Query id of the message.'),
    amount: Digits.describe(
      'Nanotons: an accepted stake without the 1 TON for its confirmation, else the value of the message.',
    ),
    reason: z.int().optional().describe('Reason of the elector; only of `stake_rejected`.'),
  })
  .meta({ id: 'StakeEvent' })

const Participant = z
  .object({
    validator_pubkey: PublicKeyHex.describe('Public key.'),
    validator_index: z.int().optional().describe('Place in the set that was elected; absent when not elected.'),
    stake: Digits.describe('Stake in nanotons, all of its parts together.'),
    max_factor: z.int().describe('Greatest ratio to the smallest stake, as declared; 65536 is 1.'),
    stake_holder_address: RawAddress.describe('Wallet or pool of the stake.'),
    adnl_addr: PublicKeyHex.describe('ADNL address.'),
  })
  .meta({ id: 'ElectionParticipant' })

const Election = z
  .object({
    election_id: z.int().describe('Id: unix seconds when the elected set was due to begin.'),
    elect_close: z.int().describe('Unix seconds until which stakes are accepted.'),
    min_stake: Digits.describe('Least stake in nanotons.'),
    total_stake: Digits.describe('All accepted stakes together, in nanotons.'),
    total_participants: z.int().describe('Number of participants, whatever the filters.'),
    failed: z.boolean().describe('True when too little could be elected, until another stake is accepted.'),
    finished: z.boolean().describe('True when validators were elected.'),
    participants: z
      .array(Participant)
      .optional()
      .describe('Largest stake first; only with `return_participants`, and only those that match the filters.'),
  })
  .meta({ id: 'ValidatorElection' })

export const validatorsV3 = {
  'v3.validators.events': method({
    summary: 'Stakes offered to the elector and taken back from it, newest first.',
    description:
      'Filters by ADNL address and public key match stakes that were offered; one sent twice with the same key is two events.',
    group,
    params: z.strictObject({
      ...validatorFilters,
      type: StakeEventType.optional().describe('Only events of this type.'),
      ...windowParams,
      ...validatorsPage,
    }),
    result: z
      .object({
        ...windowFields,
        events: z.array(StakeEvent).describe('Events of this page.'),
        ...listFields,
      })
      .meta({ id: 'StakeEventsResponse' }),
    rest: readsV3('validators/events'),
    freshness: 'index',
    paged: true,
    example: {
      params: { stake_holder_address: POOL, type: 'stake_accepted' },
      result: {
        events: [
          {
            ...transactionExample,
            type: 'stake_accepted',
            stake_holder_address: POOL,
            validator_pubkey: KEY,
            adnl_addr: ADNL,
            election_id: 1700000900,
            query_id: '31',
            amount: '10000000000000',
          },
        ],
        ...listExample,
        ...bookExample(POOL),
      },
    },
  }),

  'v3.validators.elections': method({
    summary: 'Elections of validators, newest first.',
    description:
      'As the elector showed each of them last. Filters keep elections with a participant that matches. With `return_participants` the largest `limit` is 100.',
    group,
    params: z.strictObject({
      election_id: Seconds.optional().describe('Only this election.'),
      ...validatorFilters,
      finished: z.boolean().optional().describe('Only elections that are finished, or that are not.'),
      return_participants: z.boolean().default(false).describe('Include the participants.'),
      ...windowFilter('election id'),
      ...validatorsPage,
    }),
    result: z
      .object({ elections: z.array(Election).describe('Elections of this page.'), ...listFields })
      .meta({ id: 'ValidatorElectionsResponse' }),
    rest: readsV3('validators/elections'),
    freshness: 'index',
    paged: true,
    example: {
      params: { finished: true, return_participants: true },
      result: {
        elections: [
          {
            election_id: 1700000900,
            elect_close: 1700000600,
            min_stake: '1000000000000',
            total_stake: '10000000000000',
            total_participants: 1,
            failed: false,
            finished: true,
            participants: [
              {
                validator_pubkey: KEY,
                validator_index: 0,
                stake: '10000000000000',
                max_factor: 196608,
                stake_holder_address: POOL,
                adnl_addr: ADNL,
              },
            ],
          },
        ],
        ...listExample,
        ...bookExample(POOL),
      },
    },
  }),
}
