import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isExampleWhole } from '../../../shared/explorer/formExamples.ts'
import { friendlyForm, namedAccounts } from '../accountNames.ts'
import { keepText, keptOr } from '../keptText.ts'
import { chainState } from '../live.ts'
import { publicServiceUrl } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { go, place } from '../router.ts'
import { type ConsoleReply, callPath, keep, sendConsoleCall, tray } from './calls.ts'
import { type FormFieldKind, fieldTextOf, readForm, shapeOf } from './consoleForm.ts'
import type { DescribedMethod, Param } from './methods.ts'
import { ReplyView } from './ReplyView.tsx'
import { samplesOf } from './samples.ts'

/** Text in which names of fields are in backticks. */
const withCode = (text: string): ComponentChildren =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={String(at)}>{part}</code> : part))

type Texts = Readonly<Record<string, string>>

const isAddress = ({ name, schema }: Param): boolean =>
  /address/.test(`${schema.format ?? ''}${schema.items?.format ?? ''}`) || /^(?:address|account)$/.test(name)

/** Required fields begin with an example of the network in front of the person, where that is known. */
function exampleOf(param: Param, example: unknown): string {
  const own = chainState.value?.accounts.find((account) => account.name === 'wallet1')?.friendly
  return isAddress(param) && own !== undefined ? own : fieldTextOf(example)
}

const ACCOUNTS = 'call-accounts'

/** Accounts of this network by their names, for the fields of addresses. */
const AccountOptions = () => (
  <datalist id={ACCOUNTS}>
    {[...namedAccounts()].map(([name, raw]) => (
      <option key={name} value={friendlyForm(raw)} label={name} />
    ))}
  </datalist>
)

interface TypedField {
  readonly kind: FormFieldKind
  readonly text: string
}

/** What a person typed into the fields of a method; null for nothing. */
const draftOf = (method: string): Texts | null => {
  const kept = keptOr<Texts>(`call ${method}`, {})
  return Object.keys(kept).length === 0 ? null : kept
}

const TYPED = 'fields'

/** And by name of the field, for methods that are opened later. */
const typed = (): Readonly<Record<string, TypedField>> => keptOr(TYPED, {})

const fits = (text: string, from: FormFieldKind, to: FormFieldKind): boolean =>
  from === to || ([from, to].every((kind) => kind === 'text' || kind === 'list') && !text.includes('\n'))

function typedFor(param: Param): string | undefined {
  const { kind, text = '' }: Partial<TypedField> = typed()[param.name] ?? {}
  return kind !== undefined && text !== '' && fits(text, kind, shapeOf(param).kind) ? text : undefined
}

type Values = Readonly<Record<string, unknown>>

/** From the address of the page; without parameters in it what was typed, or the example's required ones. */
function firstTexts({ name: method, params, example }: DescribedMethod, found: Values): Texts {
  const { query } = place.value
  const isGiven = params.some(({ name }) => query.has(name))
  const draft = draftOf(method)
  if (!isGiven && draft !== null) return draft
  return Object.fromEntries(
    params.flatMap((param): (readonly [string, string])[] => {
      const given = query.get(param.name)
      if (given !== null) return [[param.name, given]]
      const own = found[param.name]
      const isNeeded =
        param.required || Boolean(own) || (param.name in example && (param.name === 'limit' || isExampleWhole(method)))
      const text = typedFor(param) ?? (own ? fieldTextOf(own) : exampleOf(param, example[param.name]))
      return !isGiven && isNeeded ? [[param.name, text]] : []
    }),
  )
}

interface InputProps {
  readonly param: Param
  readonly text: string
  readonly set: (text: string) => void
  readonly wrong: string | undefined
}

function Input({ param, text, set, wrong }: InputProps) {
  const { kind, choices } = shapeOf(param)
  const id = `param-${param.name}`
  const props = {
    id,
    value: text,
    'aria-describedby': `${id}-hint`,
    'aria-invalid': wrong !== undefined,
    spellcheck: false,
    autocomplete: 'off',
  }
  return (
    <div class="field">
      <label for={id}>
        <code>{param.name}</code>
        {param.required && <span class="quiet"> required</span>}
      </label>
      {choices.length > 0 ? (
        <select {...props} onChange={(event) => set(event.currentTarget.value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === 'list' || kind === 'json' ? (
        <textarea
          {...props}
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          onInput={(event) => set(event.currentTarget.value)}
        />
      ) : (
        <input
          {...props}
          {...(isAddress(param) ? { list: ACCOUNTS } : {})}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      <p id={`${id}-hint`} class={wrong === undefined ? 'hint' : 'hint wrong'}>
        {wrong ?? withCode(param.description)}
        {kind === 'list' && wrong === undefined ? ' One in each line.' : ''}
      </p>
    </div>
  )
}

function Samples({
  method,
  params,
}: {
  readonly method: DescribedMethod
  readonly params: Readonly<Record<string, unknown>>
}) {
  const samples = samplesOf(method, params, publicServiceUrl)
  return (
    <details class="samples">
      <summary>Copy as …</summary>
      {samples.map(({ name, text }) => (
        <div key={name} class="sample">
          <p>
            <strong>{name}</strong> <Copy text={text} what={`call for ${name}`} />
          </p>
          <pre>{text}</pre>
        </div>
      ))}
    </details>
  )
}

/** A call of a method, from the texts of its fields to the last two replies. */
function useConsoleCall(method: DescribedMethod, found: Values) {
  const [texts, setTexts] = useState<Texts>(() => firstTexts(method, found))
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [reply, setReply] = useState<ConsoleReply | null>(null)
  const [before, setBefore] = useState<ConsoleReply | null>(null)
  const { params, wrong } = readForm(method, texts)
  const call = { method: method.name, params }
  const isReady = Object.keys(wrong).length === 0
  const keepTexts = (next: Texts): void => {
    keepText(`call ${method.name}`, next)
    setTexts(next)
  }
  const set = (param: Param, text: string): void => {
    keepText(TYPED, { ...typed(), [param.name]: { kind: shapeOf(param).kind, text } satisfies TypedField })
    keepTexts({ ...texts, [param.name]: text })
  }
  const add = (name: string): void => keepTexts({ ...texts, [name]: '' })
  const run = async (more: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    setTried(true)
    if (!isReady || busy) return
    const made = { ...call, params: { ...params, ...more } }
    setBusy(true)
    const found = await sendConsoleCall(made)
    setBusy(false)
    setBefore(reply)
    setReply(found)
    keep(made)
    go(callPath(made.method, made.params), { replace: true })
  }
  return {
    ...{ texts, params, busy, reply, before, set, add, run },
    wrong: tried ? wrong : {},
    nextPage(cursor: string): void {
      setTexts({ ...texts, cursor })
      void run({ cursor })
    },
    addToBatch(): void {
      setTried(true)
      if (isReady) tray.value = [...tray.value, call]
    },
  }
}

/** Chooses a field to show, among those that may be left out. */
const MoreParams = ({ params, add }: { readonly params: readonly Param[]; readonly add: (name: string) => void }) => (
  <div class="field">
    <label for="more-params">More parameters</label>
    <select id="more-params" value="" onChange={(event) => add(event.currentTarget.value)}>
      <option value="">Add …</option>
      {params.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  </div>
)

interface CallFormProps {
  readonly method: DescribedMethod
  /** Values that this network has, by field. */
  readonly found: Values
}

export function CallForm({ method, found }: CallFormProps) {
  const { texts, params, wrong, busy, reply, before, set, add, run, nextPage, addToBatch } = useConsoleCall(
    method,
    found,
  )
  const shown = method.params.filter(({ name, required }) => required || texts[name] !== undefined)
  const hidden = method.params.filter((param) => !shown.includes(param))
  return (
    <>
      <AccountOptions />
      <p>{withCode(method.summary)}</p>
      {method.description !== '' && <p class="quiet">{withCode(method.description)}</p>}
      <form
        class="call"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {shown.map((param) => (
          <Input
            key={param.name}
            param={param}
            text={texts[param.name] ?? ''}
            set={(text) => set(param, text)}
            wrong={wrong[param.name]}
          />
        ))}
        {hidden.length > 0 && <MoreParams params={hidden} add={add} />}
        <div class="buttons">
          <button type="submit" disabled={busy}>
            {busy ? 'Calling…' : 'Call'}
          </button>
          <button type="button" class="second" onClick={addToBatch}>
            Add to the batch
          </button>
        </div>
      </form>
      <Samples method={method} params={params} />
      {reply !== null && (
        <ReplyView reply={reply} before={before} nextPage={method.paged ? nextPage : null} cost={method.cost} />
      )}
    </>
  )
}
