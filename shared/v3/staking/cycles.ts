import { z } from 'zod'
import { method } from '../../method.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import {
  bookExample,
  listExample,
  listFields,
  PublicKeyHex,
  Seconds,
  signedDigits,
  stakingExamples,
  validatorFilters,
  validatorsPage,
  windowFilter,
} from './parts.ts'

const group = 'validators'
const { POOL, WALLET, FILER, KEY, ADNL, ACCUSED, ACCUSED_ADNL } = stakingExamples

const Voter = z
  .object({
    validator_index: z.int().describe('Place in the set that votes.'),
    validator_pubkey: PublicKeyHex.optional().describe('Public key; absent when the set is unknown.'),
    adnl_addr: PublicKeyHex.optional().describe('ADNL address; absent when the set is unknown.'),
    weight: Digits.optional().describe('Weight in the set; absent when the set is unknown.'),
  })
  .meta({ id: 'ComplaintVoter' })

const Complaint = z
  .object({
    cycle_start: z.int().describe('Start of the cycle of the accused, unix seconds.'),
    election_id: z.int().describe('Election of the accused.'),
    complaint_hash: Base64Hash.describe('Hash of the complaint.'),
    validator_pubkey: PublicKeyHex.describe('Public key of the accused.'),
    adnl_addr: PublicKeyHex.nullable().describe('ADNL address of the accused; null when unknown.'),
    stake_holder_address: RawAddress.optional().describe('Wallet or pool of the stake of the accused.'),
    description_boc: z.string().describe('What the validator is accused of, base64 BoC.'),
    created_at: z.int().describe('Unix seconds of the creation.'),
    severity: z.int().describe('Severity as suggested.'),
    reward_address: RawAddress.describe('Account that complained, and gets the reward.'),
    paid: Digits.describe('Price of the complaint in nanotons.'),
    suggested_fine: Digits.describe('Fixed part of the fine in nanotons.'),
    suggested_fine_part: z.int().describe('Further part of the stake, in parts of 2^32.'),
    voted_validators: z.array(Voter).describe('Validators that voted for it, by place.'),
    vset_id: Base64Hash.describe('Hash of the set that voted last; zeros before any vote.'),
    weight_remaining: signedDigits('Weight that is lacking to pass'),
    approved_percent: z.number().describe('Weight that voted for it, in percent of the set, with three decimals.'),
    is_passed: z.boolean().describe('True when it was passed, and the fine taken.'),
  })
  .meta({ id: 'ValidatorComplaint' })

const CycleValidator = z
  .object({
    validator_index: z.int().describe('Place in the set.'),
    validator_pubkey: PublicKeyHex.describe('Public key.'),
    adnl_addr: PublicKeyHex.describe('ADNL address; zeros when the set names none.'),
    weight: Digits.describe('Weight in the set.'),
    stake_holder_address: RawAddress.optional().describe('Wallet or pool of the stake.'),
    stake: Digits.optional().describe('True stake in nanotons, before fines.'),
    max_factor: z.int().optional().describe('Greatest ratio to the smallest stake, as declared; 65536 is 1.'),
    complaints: z.array(Complaint).describe('Complaints about this validator in this cycle.'),
  })
  .meta({ id: 'CycleValidator' })

const Cycle = z
  .object({
    election_id: z
      .int()
      .optional()
      .describe('Election of the set; absent when unknown, as of the first set of a chain.'),
    cycle_start: z.int().describe('Unix seconds of the start.'),
    cycle_end: z.int().describe('Unix seconds of the planned end.'),
    total: z.int().describe('Number of validators.'),
    main: z.int().describe('How many of them validate the masterchain.'),
    total_weight: Digits.describe('Weight of the set.'),
    total_stake: Digits.optional().describe('True stakes together, in nanotons, before fines.'),
    validators_elected_for: z.int().describe('Seconds a set is at work.'),
    elections_start_before: z.int().describe('Seconds from the start of an election to the start of its set.'),
    elections_end_before: z.int().describe('Seconds from the end of an election to the start of its set.'),
    stake_held_for: z.int().describe('Seconds a stake is held after its cycle.'),
    max_validators: z.int().describe('Most validators in a set.'),
    max_main_validators: z.int().describe('Most validators of the masterchain.'),
    min_validators: z.int().describe('Least validators in a set.'),
    min_stake: Digits.optional().describe('Smallest true stake; absent unless all are known.'),
    max_stake: Digits.optional().describe('Largest true stake; absent unless all are known.'),
    min_stake_limit: Digits.describe('Least stake allowed, in nanotons.'),
    max_stake_limit: Digits.describe('Largest stake that counts, in nanotons.'),
    min_total_stake: Digits.describe('Least sum of stakes, in nanotons.'),
    max_stake_factor: z.int().describe('Greatest ratio to the smallest stake; 65536 is 1.'),
    validators: z
      .array(CycleValidator)
      .optional()
      .describe('By place; only with `return_validators`, and only those that match the filters.'),
  })
  .meta({ id: 'ValidatorCycle' })

const complaint: z.input<typeof Complaint> = {
  cycle_start: 1700000900,
  election_id: 1700000900,
  complaint_hash: 'rtyye7AJU4ysExvc/Lel2FOPWmBGl13kjX5DbZ5frHs=',
  validator_pubkey: ACCUSED,
  adnl_addr: ACCUSED_ADNL,
  stake_holder_address: WALLET,
  description_boc: 'te6cckEBAgEACQABCGVT9IQBAAC1hDhE',
  created_at: 1700001000,
  severity: 1,
  reward_address: FILER,
  paid: '1004792320',
  suggested_fine: '101000000000',
  suggested_fine_part: 0,
  voted_validators: [{ validator_index: 0, validator_pubkey: KEY, adnl_addr: ADNL, weight: '658812288346769700' }],
  vset_id: '6OOR/cs0f1+0ka6cRXNfct2kMmAOqVyt9h0oFtceAu8=',
  weight_remaining: '109802122724494950',
  approved_percent: 57.143,
  is_passed: false,
}

export const cyclesV3 = {
  'v3.validators.cycles': method({
    summary: 'Sets of validators with their times and rules, newest first.',
    description:
      'Next, current and all earlier sets that were seen. Filters keep sets with a member that matches. With `return_validators` the largest `limit` is 100.',
    group,
    params: z.strictObject({
      cycle_start: Seconds.optional().describe('Only the cycle that starts then.'),
      election_id: Seconds.optional().describe('Only the cycle of this election.'),
      ...validatorFilters,
      return_validators: z.boolean().default(false).describe('Include the validators with complaints about them.'),
      ...windowFilter('start of the cycle'),
      ...validatorsPage,
    }),
    result: z
      .object({ cycles: z.array(Cycle).describe('Cycles of this page.'), ...listFields })
      .meta({ id: 'ValidatorCyclesResponse' }),
    rest: readsV3('validators/cycles'),
    freshness: 'index',
    paged: true,
    example: {
      params: { return_validators: true },
      result: {
        cycles: [
          {
            election_id: 1700000900,
            cycle_start: 1700000900,
            cycle_end: 1700002100,
            total: 1,
            main: 1,
            total_weight: '1152921504606846976',
            total_stake: '10000000000000',
            validators_elected_for: 1200,
            elections_start_before: 900,
            elections_end_before: 300,
            stake_held_for: 180,
            max_validators: 1000,
            max_main_validators: 100,
            min_validators: 1,
            min_stake: '10000000000000',
            max_stake: '10000000000000',
            min_stake_limit: '1000000000000',
            max_stake_limit: '100000000000000',
            min_total_stake: '3000000000000',
            max_stake_factor: 196608,
            validators: [
              {
                validator_index: 0,
                validator_pubkey: KEY,
                adnl_addr: ADNL,
                weight: '1152921504606846976',
                stake_holder_address: POOL,
                stake: '10000000000000',
                max_factor: 196608,
                complaints: [],
              },
            ],
          },
        ],
        ...listExample,
        ...bookExample(POOL),
      },
    },
  }),

  'v3.validators.complaints': method({
    summary: 'Complaints about validators, newest first.',
    description: 'Filters are of the accused. A complaint passes with more than two thirds of the weight of one set.',
    group,
    params: z.strictObject({
      cycle_start: Seconds.optional().describe('Only in the cycle that starts then.'),
      election_id: Seconds.optional().describe('Only in the cycle of this election.'),
      ...validatorFilters,
      ...windowFilter('time of creation'),
      ...validatorsPage,
    }),
    result: z
      .object({ complaints: z.array(Complaint).describe('Complaints of this page.'), ...listFields })
      .meta({ id: 'ValidatorComplaintsResponse' }),
    rest: readsV3('validators/complaints'),
    freshness: 'index',
    paged: true,
    example: {
      params: { election_id: 1700000900 },
      result: {
        complaints: [complaint],
        ...listExample,
        ...bookExample(WALLET, FILER),
      },
    },
  }),
}
