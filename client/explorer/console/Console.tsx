// Every method of the service with a form, its reply as a tree, and the call as lines for other programs.

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { groupTitle } from '../../../shared/groupTitles.ts'
import type { PageProps } from '../page.tsx'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { href } from '../router.ts'
import { CallForm } from './CallForm.tsx'
import { callPath, history, loadError, loadMethods, methods } from './calls.ts'
import { type Method, searchMethods } from './methods.ts'
import { Tray } from './Tray.tsx'

const filter = signal('')

function byGroup(list: readonly Method[]): ReadonlyMap<string, readonly Method[]> {
  const groups = new Map<string, Method[]>()
  for (const method of list) groups.set(method.group, [...(groups.get(method.group) ?? []), method])
  return groups
}

function MethodList({ current }: { readonly current: string }) {
  const found = searchMethods(methods.value ?? [], filter.value)
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
        {found.length} methods
      </p>
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

export function Console({ subject }: PageProps) {
  useEffect(() => {
    void loadMethods()
  }, [])
  const method = methods.value?.find(({ name }) => name === subject)
  return (
    <>
      <h1>{method?.name ?? 'Console'}</h1>
      {loadError.value !== null && <Trouble error={loadError.value} reload={() => void loadMethods()} />}
      {methods.value === null && loadError.value === null && <Waiting />}
      {methods.value !== null && (
        <div class="console">
          <MethodList current={subject} />
          <div class="console-main">
            {method !== undefined ? (
              <CallForm key={method.name} method={method} />
            ) : subject !== '' ? (
              <Trouble error={`There is no method ${subject}: choose one from the list.`} />
            ) : (
              <p class="quiet">Choose a method: its form begins with an example.</p>
            )}
            <Tray />
            <History />
          </div>
        </div>
      )}
    </>
  )
}
