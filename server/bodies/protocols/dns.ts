// Names (TEP-81) and the auctions of `.ton`.

import { body, part } from '../bodyDefinition.ts'

export const dns = {
  changeRecord: body('change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^DNSRecord', { lenient: true }),
  deleteRecord: body('delete_dns_record#4eb1f0f9 query_id:uint64 key:bits256'),
  balanceRelease: body('dns_balance_release#4ed14b65 query_id:uint64'),
  outbidNotification: body('outbid_notification#557cea20 query_id:uint64'),
  auctionFillUp: body('auction_fill_up#370fec51 query_id:uint64'),
  processGovernanceDecision: body('process_governance_decision#44beae41 query_id:uint64'),
} as const

/** What a record of a name says. */
export const dnsRecordLayouts = {
  smcAddress: part('dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:uint8'),
  nextResolver: part('dns_next_resolver#ba93 resolver:MsgAddressInt'),
  adnlAddress: part('dns_adnl_address#ad01 adnl_addr:bits256 flags:uint8'),
  storageAddress: part('dns_storage_address#7473 bag_id:bits256'),
  text: part('dns_text#1eda text:Any'),
} as const
