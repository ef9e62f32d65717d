// tgBTC, bitcoins on TON. Most is read from logs.

import { body } from '../bodyDefinition.ts'

export const tgbtc = {
  showTransaction: body('_#3f781d24'),
  claimed: body('_#e42a879b'),
  burnt: body('_#587643a2'),
  setKey: body('_#690f357a'),
  /** The teleport makes a contract that pays bitcoins out, and that reports to the coordinator. */
  pegOut: body('_#be44e7a6'),
  pegOutMade: body('_#1a84c0e0'),
  mintLog: body('_#77a80ef3 amount:Coins recipient:MsgAddress bitcoin_tx_id:bits256'),
  burnLog: body('_#ca444ce6 amount:Coins sender:MsgAddress pegout:MsgAddress'),
  /** Of the first teleports, which say where the bitcoins go. */
  olderBurnLog: body('_#ca444ce6 id:uint32 amount:Coins bitcoin_tx_id:bits256 sender:MsgAddress script:^Cell'),
  newKeyLog: body('_#27756729 amount:Coins pubkey:bits256 pegout:MsgAddress'),
  dkgLog: body('_#453443a6 timestamp:uint64 pubkey:bits256'),
} as const
