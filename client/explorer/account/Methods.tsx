// Get-methods of a contract: which there are, and what they answer.

import { useRef, useState } from 'preact/hooks'
import type { Abi } from '../../../shared/abi/abi.ts'
import { isGetMethod, isNamed, methodNameOf, readsOf, runOf } from '../../../shared/explorer/getMethods.ts'
import { foreignText, interfacesOf } from '../accountNames.ts'
import { decoderFor } from '../decoders/stored.ts'
import { useAbi } from '../decoders/useAbi.ts'
import { useKept } from '../keptText.ts'
import { loadedOrSaid } from '../laterScript.ts'
import { lazy } from '../lazyPage.tsx'
import { wordsFor } from '../pageClient.ts'
import { copyText } from '../parts/Copy.tsx'
import { Empty, Trouble, WhyNone } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { toast } from '../parts/Toast.tsx'
import { useReplies } from '../useReplies.ts'
import { MethodChips } from './MethodChips.tsx'
import type { ChosenMethod, LineKind, RunResult } from './methodCalls.ts'
import type { PartProps } from './partProps.ts'
import { StackItems, StackValueView } from './StackValueView.tsx'
import { ARGUMENT_KINDS, type Argument, idOfMethod, idOfMethodName } from './stackValues.ts'

const ExitWords = lazy(async () => (await import('../trace/ExitWords.tsx')).ExitWords)

function Outcome({ result, of: method, raw }: Required<Omit<RunState, 'error'>> & Pick<PartProps, 'raw'>) {
  const isGood = result.exit_code === 0 || result.exit_code === 1
  return (
    <div class="outcome" role="status">
      <p>
        <span class={isGood ? 'badge good' : 'badge bad'}>exit {result.exit_code}</span>{' '}
        {!isGood && <ExitWords code={result.exit_code} account={raw} />}{' '}
        <span class="quiet">{result.gas_used} gas</span>
      </p>
      <StackItems entries={result.stack} name={foreignText(method)} />
      {isGood && result.stack.length === 0 && <p class="quiet">The method returned no value.</p>}
    </div>
  )
}

interface ArgumentsProps {
  readonly list: readonly Argument[]
  readonly set: (list: readonly Argument[]) => void
  /** Of the arguments, by the ABI. */
  readonly names: readonly string[]
}

const Arguments = ({ list, set, names }: ArgumentsProps) => {
  const change = (at: number, part: Partial<Argument>) =>
    set(list.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <>
      {list.map((argument, at) => (
        <div class="argument" key={at}>
          {names[at] !== undefined && <code>{foreignText(names[at])}</code>}
          <select
            aria-label={`Kind of argument ${at + 1}`}
            value={argument.kind}
            onChange={({ currentTarget: { value } }) =>
              change(at, { kind: ARGUMENT_KINDS.find((kind) => kind === value) ?? argument.kind })
            }
          >
            {ARGUMENT_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </select>
          <input
            disabled={argument.kind === 'null'}
            placeholder={argument.kind === 'tuple' ? '[1, "0x2a", "EQ…", null, [2], {"cell": "te6c…"}]' : ''}
            aria-label={`Argument ${at + 1}${names[at] === undefined ? '' : `: ${foreignText(names[at])}`}`}
            value={argument.text}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => change(at, { text: event.currentTarget.value })}
          />
          <button type="button" class="second small" onClick={() => set(list.filter((_, i) => i !== at))}>
            Remove<span class="for-readers"> argument {at + 1}</span>
          </button>
        </div>
      ))}
      <button type="button" class="second small" onClick={() => set([...list, { kind: 'number', text: '' }])}>
        Add an argument
      </button>
    </>
  )
}

interface ValuesProps extends PartProps {
  /** Of methods without arguments, as far as is known. */
  readonly names: readonly string[]
}

/** Results of methods that the page runs by itself. One that needs arguments ends in an error, and is left out. */
function Values({ raw, stamp, names }: ValuesProps) {
  const read = useReplies(
    names.map((method) => runOf(raw, method)),
    { stamp },
  )
  const found = names.flatMap((name, at) => {
    const { exit_code: code, stack = [] } = read.data?.[at] ?? {}
    return code === 0 && stack.length > 0 ? [{ name, stack }] : []
  })
  if (found.length === 0) return <WhyNone of={read} what="Results without arguments" />
  return (
    <Facts
      rows={found.map(({ name, stack }) => [
        name,
        <div key={name}>
          {stack.map((entry, at) => (
            <div key={at}>
              <StackValueView entry={entry} name={stack.length > 1 ? `${at + 1} of ${name}` : `of ${name}`} />
            </div>
          ))}
        </div>,
      ])}
    />
  )
}

interface RunState {
  readonly result?: RunResult
  /** The method it is of. */
  readonly of?: string
  readonly error?: string
}

const LINES: readonly LineKind[] = ['curl', 'tonrpc/client', '@ton/ton', 'a wrapper']

/** What runs a method and writes its lines, loaded at its first use. */
const calls = () => loadedOrSaid(import('./methodCalls.ts'))

/** While an argument is wrong there is nothing to copy: the reason is said. */
async function copyLines(kind: LineKind, raw: string, chosen: ChosenMethod, result: RunResult | undefined) {
  const script = await calls()
  if (script === null) return
  try {
    await copyText(script.linesFor(kind, raw, chosen, result), `call for ${kind}`)
  } catch (error) {
    toast(wordsFor(error))
  }
}

interface MethodsProps extends PartProps {
  readonly ids: readonly number[]
  /** Hash of the code; empty without one. */
  readonly code: string
}

interface RunFormProps extends ChosenMethod {
  readonly raw: string
  readonly getter: Abi['getters'][number] | undefined
  readonly run: RunState
  readonly set: (chosen: Partial<ChosenMethod>) => void
  readonly call: () => void
}

/** The name in a text that was pasted, without spaces around it and `()` behind it. */
const methodIn = (text: string): string => text.trim().replace(/\s*\(\s*\)$/, '')

/** The form that runs a method, and its outcome. */
const RunForm = ({ raw, method, list, block, getter, run, set, call }: RunFormProps) => (
  <form
    class="card"
    aria-label="Run a get-method"
    onSubmit={(event) => {
      event.preventDefault()
      call()
    }}
  >
    <label for="method-name">Name or id</label>
    <input
      id="method-name"
      value={method}
      required
      maxLength={128}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => set({ method: methodIn(event.currentTarget.value) })}
    />
    {method !== '' && !/^-?\d+$/.test(method) && <p class="quiet">id {idOfMethod(method)}</p>}
    <Arguments
      list={list}
      set={(changed) => set({ list: changed })}
      names={getter?.args.map(({ name }) => name) ?? []}
    />
    <label for="method-block">At masterchain block</label>
    <input
      id="method-block"
      value={block}
      inputMode="numeric"
      pattern="[0-9]{1,10}"
      placeholder="the newest"
      autocomplete="off"
      onInput={(event) => set({ block: event.currentTarget.value.trim() })}
    />
    {getter !== undefined && getter.returns !== '' && <p class="quiet">Returns {foreignText(getter.returns)}</p>}
    <p class="buttons">
      <button type="submit">Run</button>
      {LINES.map((kind) => (
        <button
          key={kind}
          type="button"
          class="second small"
          onClick={() => void copyLines(kind, raw, { method, list, block }, run.of === method ? run.result : undefined)}
        >
          {`Copy as ${kind}`}
        </button>
      ))}
    </p>
    {run.error !== undefined && <Trouble error={run.error} />}
    {run.result && <Outcome result={run.result} of={run.of ?? ''} raw={raw} />}
  </form>
)

/** Runs methods of an account. Only the last run that was started is shown, and none after `clear`. */
function useRun(raw: string): [run: RunState, call: (chosen: ChosenMethod) => void, clear: () => void] {
  const [run, setRun] = useState<RunState>({})
  const newest = useRef(0)
  const call = (chosen: ChosenMethod): void => {
    newest.current++
    const own = newest.current
    const show = (state: RunState): void => {
      if (own === newest.current) setRun(state)
    }
    const start = async () => (await calls())?.runMethod(raw, chosen)
    start().then(
      (result) => result && show({ result, of: chosen.method }),
      (error: unknown) => show({ error: wordsFor(error) }),
    )
  }
  const clear = (): void => {
    newest.current++
    setRun({})
  }
  return [run, call, clear]
}

/** Until a person chooses: the contract may be deployed while the page is open. */
const NONE: ChosenMethod = { method: '', list: [], block: '' }

export function Methods({ raw, stamp, ids, code }: MethodsProps) {
  const getters = [...(useAbi(code)?.getters ?? []), ...(decoderFor(code, interfacesOf(raw))?.facts.getters ?? [])]
  const getterOf = (name: string | null) => getters.find((one) => one.name === name)
  const nameIn = (id: number) => getters.find((one) => (one.id ?? idOfMethodName(one.name)) === id)?.name ?? null
  const shown = ids.filter(isGetMethod).map((id) => ({ id, name: nameIn(id) ?? methodNameOf(id) }))
  const named = shown.filter(({ id, name }) => name !== null || isNamed(id))
  const numbered = shown.filter((one) => !named.includes(one))
  const withoutArguments = shown.filter(({ name }) => !getterOf(name)?.args.length)
  const alone = readsOf(withoutArguments.map(({ name }) => name))
  const first = { ...NONE, method: shown.find(({ name }) => name !== null)?.name ?? '' }
  const [kept, setChosen] = useKept(`method of ${raw}`, NONE)
  const chosen = kept === NONE ? first : kept
  const [run, call, clear] = useRun(raw)
  const choose = (method: string) => {
    const args = getterOf(method)?.args ?? []
    const next = { ...chosen, method, list: args.map(({ type }) => ({ kind: type, text: '' })) }
    setChosen(next)
    clear()
    if (args.length === 0) call(next)
  }
  return (
    <div class="methods">
      <section aria-label="Methods of the contract">
        <h2>Get-methods</h2>
        {shown.length === 0 && <Empty title="No get-methods are known." />}
        <MethodChips of={named} choose={choose} />
        {numbered.length > 0 && (
          <details>
            <summary>Functions without a name: {numbered.length}</summary>
            <MethodChips of={numbered} choose={choose} />
          </details>
        )}
      </section>
      <RunForm
        {...chosen}
        raw={raw}
        getter={getterOf(chosen.method)}
        run={run}
        set={(part) => setChosen({ ...chosen, ...part })}
        call={() => call(chosen)}
      />
      <Values raw={raw} stamp={stamp} names={alone} />
    </div>
  )
}
