// What exit codes mean. The TVM and the action phase have codes of their own; all others are the contract's, of which those
// of compilers and wallets are known.

export interface CodeWords {
  readonly text: string
  /** What to look at, where the usual cause is known. */
  readonly hint?: string
}

const words = (text: string, hint?: string): CodeWords => (hint === undefined ? { text } : { text, hint })

const COMPUTE: Readonly<Record<number, CodeWords>> = {
  0: words('success'),
  1: words('success, alternative end'),
  2: words('stack underflow', 'The code takes more values off the stack than there are.'),
  3: words('stack overflow'),
  4: words('integer overflow or division by zero'),
  5: words('integer out of range', 'A number does not fit the bits it is stored in.'),
  6: words('invalid opcode'),
  7: words('type check error', 'The stack holds a value of another type than the code expects.'),
  8: words('cell overflow', 'More than 1023 bits or 4 references are stored in one cell.'),
  9: words('cell underflow', 'The body or the data is shorter than the code reads.'),
  10: words('dictionary error'),
  11: words('unknown error', 'Often a get-method that does not exist, or a message the contract does not know.'),
  12: words('fatal error of the TVM'),
  13: words('out of gas', 'Send more TON with the message, or use less gas.'),
  [-14]: words('out of gas', 'Send more TON with the message, or use less gas.'),
  14: words('VM virtualization error'),
  // Checked by contracts of compilers.
  128: words('null reference', 'The contract reads a value that is null.'),
  129: words('invalid serialization prefix'),
  130: words('invalid incoming message', 'The contract has no receiver for this message.'),
  131: words('constraints error'),
  132: words('access denied', 'The sender is not the owner of the contract.'),
  133: words('contract stopped'),
  134: words('invalid argument'),
  135: words('code of a contract was not found'),
  136: words('invalid standard address'),
  137: words('masterchain support is not enabled'),
  138: words('not a basechain address'),
  65535: words('unknown message', 'The contract does not know the opcode of this message.'),
}

const ACTION: Readonly<Record<number, CodeWords>> = {
  0: words('success'),
  32: words('invalid action list'),
  33: words('too many actions', 'A transaction sends 255 messages at most.'),
  34: words('invalid or unsupported action'),
  35: words('invalid source address in a message'),
  36: words('invalid destination address in a message'),
  37: words('not enough TON', 'The balance does not cover what the actions send, with fees.'),
  38: words('not enough extra currencies'),
  39: words('a message does not fit into a cell'),
  40: words('cannot process a message', 'Too little TON for its fees, or it is too large.'),
  41: words('null library reference'),
  42: words('library change error'),
  43: words('library is too large'),
  50: words('account state is too large'),
}

const CLOCK = "The chain's clock may differ from that of the computer that signed."

const SEQNO = words('wrong seqno', 'Another message with this seqno was accepted, or one before is missing.')
const WALLET_ID = words('wrong wallet id', 'The message was signed for another wallet or network.')
const SIGNATURE = words('invalid signature', 'The message was not signed with the key of this wallet.')
const EXPIRED = words('message expired', CLOCK)

const OF_V1 = { 33: SEQNO, 34: SIGNATURE }
const OF_V2 = { 33: SEQNO, 34: SIGNATURE, 35: EXPIRED }
const OF_V3 = { 33: SEQNO, 34: WALLET_ID, 35: words('message expired, or invalid signature', CLOCK) }
const OF_V4 = { 33: SEQNO, 34: WALLET_ID, 35: SIGNATURE, 36: EXPIRED }
const OF_V5 = {
  132: words('signed messages are disabled', 'Only the extensions of this wallet may send.'),
  133: SEQNO,
  134: WALLET_ID,
  135: SIGNATURE,
  136: EXPIRED,
  137: words('a message to send must have mode +2', 'In messages from outside, errors of all actions are ignored.'),
  138: words('the body is not that of a signed message'),
  139: words('the extension is installed already'),
  140: words('the extension is not installed'),
  141: words('an unsupported action was requested'),
  142: words('signed messages cannot be disabled while there are no extensions'),
  143: words('signed messages are in this state already'),
  144: words('the last extension cannot be removed while signed messages are disabled'),
  145: words('the extension is in another workchain'),
  146: words('only an extension may enable or disable signed messages'),
  147: words('the list of actions is malformed'),
}
const OF_HIGHLOAD_V3 = {
  33: words('invalid signature'),
  34: words('wrong subwallet id'),
  35: words('wrong creation time', CLOCK),
  36: words('the query was executed already'),
  37: words('wrong timeout'),
}

/** Contracts of a standard need not have its code, and nearly all do. */
const usual = (text: string, hint?: string): CodeWords => words(`${text}, by the standard contracts`, hint)

const FEW_JETTONS = usual('not enough jettons', 'The wallet holds less than the message sends or burns.')
const FEW_TON = usual('not enough TON', 'What comes with the message pays for all steps, and for what is forwarded.')
const NOT_OWNER = usual('the sender is not the owner')
const NOT_ADMIN = usual('the sender is not the admin')
const NOT_JETTONS = usual('the sender is neither the jetton nor a wallet of it')
const WORKCHAIN = usual('an address is of another workchain')
const MALFORMED = usual('the forward payload is malformed', 'It begins with a bit: 0, or 1 and a reference.')

const OF_JETTON_WALLET = {
  45: usual('the wallet is locked'),
  47: FEW_JETTONS,
  48: FEW_TON,
  72: usual('unknown message'),
  73: NOT_OWNER,
  74: NOT_JETTONS,
  333: WORKCHAIN,
  705: NOT_OWNER,
  706: FEW_JETTONS,
  707: NOT_JETTONS,
  708: MALFORMED,
  709: FEW_TON,
}
const OF_JETTON = {
  48: FEW_TON,
  72: usual('unknown message'),
  73: NOT_ADMIN,
  74: NOT_JETTONS,
  75: usual('not enough TON to answer which wallet an owner has'),
  333: WORKCHAIN,
  708: MALFORMED,
}
const OF_ITEM = {
  333: WORKCHAIN,
  401: NOT_OWNER,
  402: FEW_TON,
  405: usual('the sender is not the collection'),
  708: MALFORMED,
}
const OF_COLLECTION = {
  399: usual('too many items at once'),
  401: NOT_OWNER,
  402: usual('the index of the item is above the next one'),
}

/** Codes of contracts of some kinds, by the start of their interface names. */
const KINDS: Readonly<Record<string, Readonly<Record<number, CodeWords>>>> = {
  jetton_wallet: OF_JETTON_WALLET,
  jetton_master: OF_JETTON,
  nft_item: OF_ITEM,
  nft_collection: OF_COLLECTION,
  wallet_v1: OF_V1,
  wallet_v2: OF_V2,
  wallet_v3: OF_V3,
  wallet_v4: OF_V4,
  wallet_v5: OF_V5,
  wallet_highload_v3: OF_HIGHLOAD_V3,
}

function knownWords(code: number, interfaces: readonly string[]): CodeWords | undefined {
  for (const [start, codes] of Object.entries(KINDS)) {
    const known = interfaces.some((one) => one.startsWith(start)) ? codes[code] : undefined
    if (known !== undefined) return known
  }
  return COMPUTE[code]
}

/** Whether only the contract knows what a code means. */
export const isOwnCode = (code: number, interfaces: readonly string[]): boolean =>
  knownWords(code, interfaces) === undefined

/** Words for the exit code of a computation; `interfaces` are those of the account. */
export const computeWords = (code: number, interfaces: readonly string[] = []): CodeWords =>
  knownWords(code, interfaces) ?? words('an error of the contract itself', 'Its source says what it means.')

/** Words for the result code of the action phase. */
export const actionWords = (code: number): CodeWords => ACTION[code] ?? words('unknown code')

const SKIPPED: Readonly<Record<string, CodeWords>> = {
  no_state: words('nothing is deployed here', 'Send the StateInit with a message to deploy the contract.'),
  bad_state: words('the StateInit does not fit the address'),
  no_gas: words('too little TON to buy gas'),
  suspended: words('the account is suspended by the configuration'),
}

const FROZEN = words(
  'the account is frozen',
  'A message with the StateInit it had, and TON for its rent, brings it back.',
)

/** `status` is that of the account before. */
export const skippedWords = (reason: string, status: string): CodeWords =>
  status === 'frozen' && reason === 'no_state' ? FROZEN : (SKIPPED[reason] ?? words(reason))
