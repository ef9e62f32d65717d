// The list of keys, as a dialog that the browser closes with Escape and that gives the focus back.

import { render } from 'preact'

interface Keys {
  /** Those that are pressed, with a space between them. */
  readonly keys: string
  readonly what: string
}

const listOf = (places: readonly Keys[]): readonly Keys[] => [
  { keys: '/', what: 'Search' },
  { keys: 'j k', what: 'Next and previous row' },
  { keys: 'Enter', what: 'Open what has the focus' },
  { keys: '[ ]', what: 'Previous and next block, on the page of a block' },
  { keys: '← → ↑ ↓', what: 'Along the tabs, and along the list or the graph of a trace' },
  ...places,
  { keys: '?', what: 'This list' },
]

const Help = ({ list }: { readonly list: readonly Keys[] }) => (
  <>
    <h2 id="help-title">Keys</h2>
    <dl class="keys">
      {list.map(({ keys, what }) => (
        <div key={keys}>
          <dt>
            {keys.split(' ').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <form method="dialog">
      <button type="submit">Close</button>
    </form>
  </>
)

let dialog: HTMLDialogElement | undefined

export function openHelp(places: readonly Keys[]): void {
  if (dialog === undefined) {
    dialog = document.createElement('dialog')
    dialog.className = 'help'
    dialog.setAttribute('aria-labelledby', 'help-title')
    document.body.append(dialog)
    render(<Help list={listOf(places)} />, dialog)
  }
  if (!dialog.open) dialog.showModal()
}
