// What the person in front of the page calls an account. The name stays in this browser.

import { useEffect, useRef, useState } from 'preact/hooks'
import { foreignText, givenName, namedAccounts } from '../accountNames.ts'
import { Field, Form } from '../lab/labFields.tsx'
import { readsAsAddress } from '../lookalikes.ts'
import { toast } from '../parts/Toast.tsx'
import { remember, remembered } from '../remembered.ts'

const MOST_NAMES = 500
const LONGEST = 64

function wrongName(raw: string, name: string): string | null {
  if ([...name].length > LONGEST) return `At most ${LONGEST} characters.`
  if (name !== foreignText(name)) return 'It has characters that are not seen, or too many marks on a letter.'
  if (readsAsAddress(name)) return 'It reads like an address.'
  const other = namedAccounts().get(name.toLowerCase())
  return other === undefined || other === raw ? null : 'Another account has this name here.'
}

function setName(raw: string, name: string): void {
  const others = remembered.value.names.filter((line) => !line.startsWith(`${raw} `))
  const names = (name === '' ? others : [`${raw} ${name}`, ...others]).slice(0, MOST_NAMES)
  if (!remember({ names }) && name) toast('The browser is full: the name lasts as long as this page.')
}

export interface OwnNameProps {
  readonly raw: string
  readonly done: () => void
}

export function OwnName({ raw, done }: OwnNameProps) {
  const [text, setText] = useState(givenName(raw) ?? '')
  const name = text.trim()
  const wrong = wrongName(raw, name)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  const save = (): void => {
    setName(raw, name)
    done()
  }
  return (
    <div ref={place}>
      <Form
        class="field-line"
        isReady={wrong === null}
        start={save}
        onKeyDown={({ key }) => {
          if (key === 'Escape') done()
        }}
      >
        <Field
          id="own-name"
          label="Your name of this account"
          value={text}
          set={setText}
          wrong={wrong}
          hint="Kept in this browser, and seen by nobody else. Empty for none."
        />
        <button type="submit" disabled={wrong !== null}>
          Save
        </button>
      </Form>
    </div>
  )
}
