// Inputs for the fields of a message or of a contract's data, as its description names them.

import type { AbiField, FieldType } from '../../../../shared/abi/abi.ts'
import { pathTo, presenceOf, type Typed } from '../../decoders/encode.ts'
import { Field } from '../labFields.tsx'

interface Inputs {
  /** In front of the ids of the inputs. */
  readonly id: string
  readonly typed: Typed
  readonly set: (typed: Typed) => void
  readonly wrong: Readonly<Record<string, string>>
}

/** What a field takes, in a few words. */
function hintOf(type: FieldType): string {
  if (type.kind === 'uint' || type.kind === 'int') return `${type.kind}${type.width}`
  if (type.kind === 'varint') return 'a whole number'
  if (type.kind === 'varuint') return 'smallest units, or such as 1.5 ton'
  if (type.kind === 'bits')
    return type.width % 8 === 0 ? `${type.width / 4} hex digits` : `${type.width} digits 0 and 1`
  if (type.kind === 'address') return 'an address; empty for none'
  if (type.kind === 'text') return 'text'
  if (type.kind === 'ref') return type.of.kind === 'text' ? 'text' : `cell with ${hintOf(type.of)}`
  if (type.kind === 'dict') return 'dictionary as a bag of cells; empty for none'
  return 'bag of cells; empty for an empty cell'
}

const Flag = ({ id, label, isOn, set }: { id: string; label: string; isOn: boolean; set: (isOn: boolean) => void }) => (
  <label class="check field">
    <input id={id} type="checkbox" checked={isOn} onChange={(event) => set(event.currentTarget.checked)} />
    {label}
  </label>
)

function Input({ type, path, ...inputs }: Inputs & { readonly type: FieldType; readonly path: string }) {
  const { id, typed, set, wrong } = inputs
  const own = `${id}-${path.replaceAll(/\W/g, '-')}`
  if (type.kind === 'struct') return <AbiFields {...inputs} fields={type.fields} path={path} />
  if (type.kind === 'ref' && type.of.kind === 'struct')
    return <AbiFields {...inputs} fields={type.of.fields} path={path} />
  if (type.kind === 'maybe') {
    const key = presenceOf(path)
    const isThere = Object.hasOwn(typed, key)
    const choose = (isOn: boolean): void => {
      const { [key]: _, ...others } = typed
      set(isOn ? { ...others, [key]: 'there' } : others)
    }
    return (
      <>
        <Flag id={`${own}-there`} label={`With ${path}`} isOn={isThere} set={choose} />
        {isThere && <Input {...inputs} type={type.of} path={path} />}
      </>
    )
  }
  if (type.kind === 'bool')
    return (
      <Flag id={own} label={path} isOn={typed[path] === 'true'} set={(isOn) => set({ ...typed, [path]: `${isOn}` })} />
    )
  return (
    <Field
      id={own}
      label={path}
      value={typed[path] ?? ''}
      set={(text) => set({ ...typed, [path]: text })}
      wrong={wrong[path] ?? null}
      hint={hintOf(type)}
    />
  )
}

export const AbiFields = ({
  fields,
  path = '',
  ...inputs
}: Inputs & { readonly fields: readonly AbiField[]; readonly path?: string }) => (
  <>
    {fields.map(({ name, type }) => {
      if (type.kind === 'prefix') return null
      if (type.kind === 'next') return <AbiFields key="" {...inputs} fields={type.fields} path={path} />
      return <Input key={name} {...inputs} type={type} path={pathTo(path, name)} />
    })}
  </>
)
