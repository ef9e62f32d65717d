// How much an account stores: its bags are read when a person presses the button, or when another part of the page has them.

import { useState } from 'preact/hooks'
import { accountState } from '../../../shared/explorer/explorerQueries.ts'
import { known } from '../pageClient.ts'
import { useReplies } from '../useReplies.ts'
import { bagSizeText } from './bagSize.ts'

interface StorageSizeProps {
  readonly raw: string
  /** Of its state: one that is set on a devnet has no transaction. */
  readonly hash: string | undefined
  /** Changes when another part has read them: a component with equal props is not drawn again. */
  readonly bags: unknown
}

export function StorageSize({ raw, hash }: StorageSizeProps) {
  const [isAsked, setAsked] = useState(false)
  const query = accountState(raw, true)
  const { data, error } = useReplies(isAsked ? [query] : [])
  const [state] = (known(query) ?? data?.[0])?.accounts ?? []
  const press = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    // The button is removed when the size is shown: its parent takes the focus.
    currentTarget.parentElement?.focus()
    setAsked(true)
  }
  return (
    <span tabIndex={-1}>
      {/* What another part has read may be older. */}
      {state !== undefined && state.account_state_hash === hash ? (
        <>
          {state.code_boc && `code ${bagSizeText(state.code_boc)}`}
          {state.data_boc && `, data ${bagSizeText(state.data_boc)}`}
        </>
      ) : error === null ? (
        <button type="button" class="zone" onClick={press}>
          Show the size
        </button>
      ) : (
        error
      )}
    </span>
  )
}
