import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { friendlyForm, namedAccounts } from '../accountNames.ts'
import { keepText, keptOr } from '../keptText.ts'
import { chainState } from '../live.ts'
import { publicServiceUrl } from '../pageBoot.ts'
import { Copy } from '../parts/Copy.tsx'
import { go, place } from '../router.ts'
import { type ConsoleReply, callPath, keep, sendConsoleCall, tray } from './calls.ts'
import { type FormFieldKind, readForm, shapeOf } from './consoleForm.ts'
import { type FieldTexts, type FieldValues, firstTexts, takesAccount } from './firstTexts.ts'
import { formNoteOf } from './formNotes.ts'
import type { DescribedMethod, Param } from './methods.ts'
import { ReplyView } from './ReplyView.tsx'
import { samplesOf } from './samples.ts'

/** Text in which names of fields are in backticks. */
const withCode = (text: string): ComponentChildren =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={String(at)}>{part}</code> : part))

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
const draftOf = (method: string): FieldTexts | null => {
  const kept = keptOr<FieldTexts>(`call ${method}`, {})
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

/** From the address of the page; without parameters in it what was typed, or what makes the first call return something. */
function beginningOf(method: DescribedMethod, found: FieldValues): FieldTexts {
  const { query } = place.value
  const given = method.params
    .filter(({ name }) => query.has(name))
    .map((param): readonly [string, string] => {
      const texts = query.getAll(param.name)
      // A list can be repeated, as in an address of the REST interface.
      return [param.name, shapeOf(param).kind === 'list' ? texts.join('\n') : (texts[0] ?? '')]
    })
  if (given.length > 0) return Object.fromEntries(given)
  const account = chainState.value?.accounts.find(({ name }) => name === 'wallet1')?.friendly
  return draftOf(method.name) ?? firstTexts(method, { found, account, typed: typedFor })
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
          {...(takesAccount(param) ? { list: ACCOUNTS } : {})}
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

/** The step of the history with its address: a link can lead to the same one again. */
const callPlace = (): string => {
  const { step, path, query } = place.value
  return `${step} ${path} ${query}`
}

/** A call of a method, from the texts of its fields to the last two replies. */
function useConsoleCall(method: DescribedMethod, found: FieldValues) {
  const [texts, setTexts] = useState<FieldTexts>(() => beginningOf(method, found))
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [reply, setReply] = useState<ConsoleReply | null>(null)
  const [before, setBefore] = useState<ConsoleReply | null>(null)
  const at = callPlace()
  /** Where the fields were as the address says. */
  const shown = useRef(at)
  // One of the last calls of this method, or a step back.
  useEffect(() => {
    if (at === shown.current) return
    shown.current = at
    if (place.peek().query.size === 0) return
    setTexts(beginningOf(method, found))
    setReply(null)
  }, [at])
  const { params, wrong } = readForm(method, texts)
  const call = { method: method.name, params }
  const isReady = Object.keys(wrong).length === 0
  const keepTexts = (next: FieldTexts): void => {
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
    keep(made)
    // A person who has left meanwhile, or opened another call of the method, is not brought back.
    if (callPlace() !== at) return
    setBefore(reply)
    setReply(found)
    go(callPath(made.method, made.params), { replace: true })
    shown.current = callPlace()
  }
  return {
    texts,
    params,
    busy,
    reply,
    before,
    set,
    add,
    run,
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
  readonly found: FieldValues
}

export function CallForm({ method, found }: CallFormProps) {
  const { texts, params, wrong, busy, reply, before, set, add, run, nextPage, addToBatch } = useConsoleCall(
    method,
    found,
  )
  const shown = method.params.filter(({ name, required }) => required || texts[name] !== undefined)
  const hidden = method.params.filter((param) => !shown.includes(param))
  const note = formNoteOf(method.name)
  return (
    <>
      <AccountOptions />
      <p>{withCode(method.summary)}</p>
      {method.description !== '' && <p class="quiet">{withCode(method.description)}</p>}
      {note !== null && <p class="card note">{note}</p>}
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
          <button type="submit" aria-disabled={busy}>
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
