/** The path of a field or item, as a program would write it: `actions[0].details.value`. */
export function pathInside(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[${key}]`
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : `[${JSON.stringify(key)}]`
  return path === '' || name.startsWith('[') ? `${path}${name}` : `${path}.${name}`
}
