// What a text names: straight to the page of it when there is only one, else what it could be.

import { useEffect, useRef } from 'preact/hooks'
import { parseAddress } from '../../../shared/address.ts'
import { classifyText, type Recognised, searchedText } from '../../../shared/explorer/classifyText.ts'
import { namesByOpcode } from '../../../shared/explorer/operationName.ts'
import { isSecret, REFUSED, SECRET_REFUSED } from '../../../shared/explorer/secretText.ts'
import { LONGEST_SEARCH, ofOpcode, searchFor } from '../../../shared/explorer/toolQueries.ts'
import { hexOf } from '../../../shared/explorer/views.ts'
import { accountPath, foreignText, namedAccounts } from '../accountNames.ts'
import { useMethodList } from '../console/loading.ts'
import { operationWords } from '../operations.ts'
import { boot } from '../pageBoot.ts'
import { known } from '../pageClient.ts'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import { TransactionTable } from '../parts/TransactionTable.tsx'
import { rememberSearch } from '../remembered.ts'
import { go, href, place, setQuery } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { AbiList, abiHits } from './abiHits.tsx'
import { HitList, ownHits, pathOf, type Search } from './searchHits.tsx'

const FORMS = [
  ['An address', 'EQ…, UQ…, kQ…, 0Q… or 0:<64 hex digits>'],
  ['A hash of a transaction, message, trace or block', '64 hex digits or 44 characters of base64'],
  ['A block', '352, or 0:8000000000000000:352'],
  ['A domain', 'name.ton'],
  ['An opcode', '0x7e8764ef'],
  ['A name of this network', 'wallet4, faucet, elector'],
  ['A contract by the name of its ABI', 'Counter'],
  ['A method', 'v3.transactions'],
  ['A bag of cells', 'te6cc…'],
  ['The beginning of a name, address or hash', 'usd, EQCD39VS, 0f3a9c'],
] as const

const Payments = () => (
  <p>
    A payment is found at its sender or its receiver: search for the address of one, and write the comment into the
    field “With” above its history.
  </p>
)

const Forms = () => (
  <>
    <p>What can be searched:</p>
    <ul class="plain">
      {FORMS.map(([what, example]) => (
        <li key={what}>
          {what}: <code>{example}</code>
        </li>
      ))}
    </ul>
    <Payments />
  </>
)

function Opcode({ opcode }: { readonly opcode: string }) {
  const { data, error, reload } = useReplies(ofOpcode(opcode), { live: true })
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null) return <Waiting />
  const [[, known = ''] = []] = namesByOpcode([opcode], data[0].opcodes)
  const name = operationWords(opcode, {}, known || null)
  const { transactions } = data[1]
  return (
    <>
      <p>
        Opcode <code>{opcode}</code>
        {name && <strong> {name}</strong>}
      </p>
      {transactions.length === 0 ? (
        <Empty title="No message with this opcode is in the index." />
      ) : (
        <TransactionTable transactions={transactions} withAccount />
      )}
    </>
  )
}

const LONGEST_NOTE = 300

/** In the heading: a hash or an address is whole. */
const LONGEST_SHOWN = 100

/** Opens the page of a hit without asking when there is no other. A message that waits for a block is not in the index. */
function only({ results }: Search, text: string): string | null {
  const [hit, other] = results
  const hex = hexOf(text)
  if (hex !== null && hit?.match !== 'exact') return `/trace/${hex}`
  if (hit?.match !== 'exact' || other !== undefined) return null
  const isOfOther = boot.network === 'mainnet' && parseAddress(text)?.testOnly === true
  return isOfOther ? null : pathOf(hit)
}

/** What the name of a method may look like. */
const METHOD = /^[a-z]\w*(?:\.\w+)*$/i

/** Of the accounts that this network has names for, and of descriptions of contracts. */
const MOST_OWN = 30

interface HitsProps {
  readonly text: string
  /** Whether a method has the name; null while that is not known. */
  readonly isMethod?: boolean | null
}

function Hits({ text, isMethod = false }: HitsProps) {
  const search = searchFor(text)
  const last = known(search)
  // An empty result is asked for again with each block. A list with results stays, so that it does not move while it is read.
  const live = last !== undefined && last.kind !== 'wrong' && last.results.length === 0
  const { data, error, reload } = useReplies([search], { live })
  const abis = abiHits(text, MOST_OWN)
  const path = data && abis.length === 0 ? only(data[0], text) : null
  const isOfHash = hexOf(text) !== null && data?.[0].results[0]?.match === 'exact'
  useEffect(() => {
    if (isOfHash) rememberSearch(text)
  }, [text, isOfHash])
  useEffect(() => {
    if (path !== null) go(path, { replace: true })
  }, [path])
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (data === null || path !== null) return <Waiting />
  const [{ kind, results: indexed, note }] = data
  const own = ownHits(text, MOST_OWN)
  const results = [...own, ...indexed.filter(({ account }) => !own.some((one) => one.account === account))]
  if (results.length === 0 && abis.length === 0) {
    if (isMethod !== false) return isMethod ? null : <Waiting />
    return (
      <Empty title={note === null ? 'Nothing with this name is in the index.' : foreignText(note, LONGEST_NOTE)}>
        <Forms />
      </Empty>
    )
  }
  return (
    <>
      {note !== null && (kind === 'wrong' || own.length + abis.length === 0) && (
        <p>{foreignText(note, LONGEST_NOTE)}</p>
      )}
      {abis.length > 0 && <AbiList hits={abis} />}
      {results.length > 0 && <HitList hits={results} />}
      {note !== null && /^\d+$/.test(text) && <Payments />}
    </>
  )
}

/** What is called like the text: methods of the service, and what the index has. */
function Named({ text }: { readonly text: string }) {
  const { value: methods, error } = useMethodList()
  const found = classifyText(text, { methods: methods?.map(({ name }) => name) ?? [] })
  const isMethod = found.kind === 'method'
  return (
    <>
      {isMethod && (
        <p>
          A method of this service: <a href={href(`/console/${found.method}`)}>{found.method}</a>
        </p>
      )}
      <Hits text={text} isMethod={methods === null && error === null ? null : isMethod} />
    </>
  )
}

/** What is known without a call: accounts by a name of this network, and bags of cells. */
function pathOfKnown(found: Recognised, text: string): string | null {
  if (found.kind === 'boc') return `/cell?boc=${encodeURIComponent(found.boc)}`
  return found.kind === 'account' && parseAddress(text) === null ? accountPath(found.raw) : null
}

/** In place of a search for the secret of a wallet, as after a step back: it leaves the address, too. */
function Secret() {
  useEffect(() => setQuery({ q: null, [REFUSED]: null }), [])
  return (
    <>
      <h1>Search</h1>
      <Trouble error={SECRET_REFUSED} />
      <Forms />
    </>
  )
}

export function SearchPage() {
  const { query, step } = place.value
  const given = query.get('q') ?? ''
  /** The step of the history that had a secret in its address, or was led to without it. */
  const refused = useRef<number | null>(null)
  const isRefused = query.has(REFUSED)
  if (given !== '' || isRefused) refused.current = isRefused || isSecret(given) ? step : null
  return refused.current === step ? <Secret key={step} /> : <Found given={given} />
}

function Found({ given }: { readonly given: string }) {
  const text = searchedText(given)
  const found = classifyText(given, { names: namedAccounts() })
  const path = pathOfKnown(found, text)
  useEffect(() => {
    // What has the form of a hash can be a private key, unless there is something with it.
    if (text !== '' && text.length <= LONGEST_SEARCH && found.kind !== 'hash') rememberSearch(text)
  }, [text])
  useEffect(() => {
    if (path !== null) go(path, { replace: true })
  }, [path])
  if (path !== null) return <Waiting />
  const Searched = found.kind === 'text' && METHOD.test(text) ? Named : Hits
  return (
    <>
      <h1>
        Search
        {text !== '' && (
          <>
            : <q dir="auto">{foreignText(text, LONGEST_SHOWN)}</q>
          </>
        )}
      </h1>
      {found.kind === 'opcode' && <Opcode opcode={found.opcode} />}
      {found.kind === 'empty' && <Forms />}
      {text.length > LONGEST_SEARCH && (
        <Empty title={found.kind === 'wrong' ? found.words : 'This is too long to search for.'}>
          <Forms />
        </Empty>
      )}
      {found.kind !== 'opcode' && found.kind !== 'empty' && text.length <= LONGEST_SEARCH && <Searched text={text} />}
    </>
  )
}
