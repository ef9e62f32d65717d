// The list of keys, as a dialog that the browser closes with Escape and that gives the focus back.

import { render } from 'preact'

interface HelpProps {
  readonly list: readonly { readonly keys: string; readonly what: string }[]
}

const Help = ({ list }: HelpProps) => (
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

export function openHelp(list: HelpProps['list']): void {
  if (dialog === undefined) {
    dialog = document.createElement('dialog')
    dialog.className = 'help'
    dialog.setAttribute('aria-labelledby', 'help-title')
    document.body.append(dialog)
    render(<Help list={list} />, dialog)
  }
  if (!dialog.open) dialog.showModal()
}
