// Every method of the service with a form, its reply as a tree, and the call as lines for other programs.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { counted } from '../../../shared/explorer/counted.ts'
import { formExampleOf } from '../../../shared/explorer/formExamples.ts'
import { groupTitle } from '../../../shared/groupTitles.ts'
import { foreignText } from '../accountNames.ts'
import type { PageProps } from '../lazyPage.tsx'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { href } from '../router.ts'
import { useReplies } from '../useReplies.ts'
import { CallForm } from './CallForm.tsx'
import { callPath, history } from './calls.ts'
import { FirstMethods } from './FirstMethods.tsx'
import { useMethod, useMethodList } from './loading.ts'
import { type MethodLine, searchMethods } from './methods.ts'
import { Tray } from './Tray.tsx'

const filter = signal('')

/** Where the list of all methods is above the form. */
const NARROW = matchMedia('(max-width: 48rem)')
const isNarrow = signal(NARROW.matches)
NARROW.addEventListener('change', () => {
  isNarrow.value = NARROW.matches
})

function byGroup(list: readonly MethodLine[]): ReadonlyMap<string, readonly MethodLine[]> {
  const groups = new Map<string, MethodLine[]>()
  for (const method of list) groups.set(method.group, [...(groups.get(method.group) ?? []), method])
  return groups
}

interface ListProps {
  readonly methods: readonly MethodLine[]
  readonly current: string
  /** Comes before the list of all, which fills a narrow screen. */
  readonly children: ComponentChildren
}

function MethodList({ methods, current, children }: ListProps) {
  const found = searchMethods(methods, filter.value)
  const groups = filter.value === '' ? byGroup(found) : new Map([['', found]])
  return (
    <section class={current !== '' && filter.value === '' ? 'method-list chosen' : 'method-list'} aria-label="Methods">
      <label class="for-readers" for="method-filter">
        Filter methods
      </label>
      <input
        id="method-filter"
        type="search"
        placeholder="Filter: history, token, faucet …"
        value={filter.value}
        onInput={(event) => {
          filter.value = event.currentTarget.value
        }}
      />
      <p class="for-readers" role="status">
        {counted(found.length, 'method')}
      </p>
      {filter.value === '' && children}
      {found.length === 0 && <p class="quiet">No method fits.</p>}
      {[...groups].map(([group, list]) => (
        <details key={group} open={filter.value !== '' || list.some(({ name }) => name === current)}>
          <summary>{group === '' ? 'Found' : groupTitle(group)}</summary>
          <ul>
            {list.map(({ name, summary }) => (
              <li key={name}>
                <a href={href(`/console/${name}`)} title={summary} aria-current={name === current ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

const History = () =>
  history.value.length === 0 ? null : (
    <details class="history">
      <summary>Last calls</summary>
      <ul>
        {history.value.map((call) => {
          const path = callPath(call.method, call.params)
          return (
            <li key={path}>
              <a href={href(path)}>
                <code>{call.method}</code>
              </a>{' '}
              <span class="quiet">{JSON.stringify(call.params).slice(0, 120)}</span>
            </li>
          )
        })}
      </ul>
    </details>
  )

function Form({ name }: { readonly name: string }) {
  const { value: method, error, reload } = useMethod(name)
  const example = formExampleOf(name)
  const live = useReplies(example === undefined ? [] : [example.query])
  const next = live.data === null ? null : (example?.next?.(live.data[0]) ?? null)
  const further = useReplies(next === null ? [] : [next])
  const isBusy = [live, further].some((one) => one.data === null && one.error === null)
  if (error !== null) return <Trouble error={error} reload={reload} />
  if (method === null || isBusy) return <Waiting />
  return <CallForm method={method} found={(live.data && example?.valuesIn(live.data[0], further.data?.[0])) ?? {}} />
}

export function Console({ subject }: PageProps) {
  const { value: methods, error, reload } = useMethodList()
  const first = methods !== null && subject === '' && <FirstMethods methods={methods} />
  const isMissing = methods !== null && !methods.some(({ name }) => name === subject)
  return (
    <>
      <h1>{subject === '' || isMissing ? 'Console' : subject}</h1>
      {error !== null && <Trouble error={error} reload={reload} />}
      {methods === null && error === null && <Waiting />}
      {methods !== null && (
        <div class="console">
          <MethodList methods={methods} current={subject}>
            {isNarrow.value && first}
          </MethodList>
          <div class="console-main">
            {subject === '' ? (
              !isNarrow.value && first
            ) : isMissing ? (
              <Trouble error={`There is no method ${foreignText(subject)}: choose one from the list.`} />
            ) : (
              <Form key={subject} name={subject} />
            )}
            <Tray />
            <History />
          </div>
        </div>
      )}
    </>
  )
}
