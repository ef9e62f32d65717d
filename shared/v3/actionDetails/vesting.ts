import { z } from 'zod'
import { RawAddress } from '../values.ts'
import { accountField, queryId, textField, usualFields } from './fields.ts'

const ends = { source: usualFields.owner, vesting: accountField('Vesting contract.') }

const Send = z
  .object({
    ...queryId,
    ...ends,
    message_boc: textField('Message, base64 BoC.'),
    destination: accountField('Recipient of the message.'),
    amount: usualFields.nanotons,
  })
  .meta({ id: 'VestingSendMessageDetails' })

const Whitelist = z
  .object({ ...queryId, ...ends, accounts_added: z.array(RawAddress).describe('Accounts added to the whitelist.') })
  .meta({ id: 'VestingAddWhitelistDetails' })

export const vestingDetails = { vesting_send_message: Send, vesting_add_whitelist: Whitelist }
