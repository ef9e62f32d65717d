// Letters that are drawn alike. Names of strangers are compared by what a reader sees, not by their characters.

/** Letters of other scripts, and digits; below each the letter it is taken for. */
const OTHERS =
  'øɵŧаαɑьвсϲԁеεєҽғϝɡһніιɩ1lӏ|!јϳкκмпηոоοօ0өрρԛգѕтτυսцνѵѡԝωхχ×уγүᴢᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏ' +
  'ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴⲧⲟⲛꭲ०০๐ഠΝΗΥΜΖΒ'
const LETTERS =
  'ootaaabbccdeeeeffghhiiiiiiiijjkkmnnnoooooppqqsttuuuvvwwwxxxyyyzabcdefghijkimnoprstuvwybpdtgkjczfmnisrvhwxyaeioutontoooonhymzb'

const taken = (letter: string): string | undefined => LETTERS[OTHERS.indexOf(letter)]

/** The same for texts that look the same, of any script. Some capitals look like other letters than their small ones. */
export const drawnAs = (text: string): string =>
  [...text.normalize('NFKD')]
    .map((letter) => taken(letter) ?? taken(letter.toLowerCase()) ?? letter.toLowerCase())
    .join('')
    .replace(/[\p{M}\p{C}\p{Z}]/gu, '')

/** Beginnings of friendly addresses, as they are drawn. */
const FRIENDLY = /^[euko][qf]/
/** Marks of a cut in the middle. */
const CUT = /…|\.\.|⋯|··/
const LONGEST_WORD = 8

/** Whether a name would be taken for an address: in its raw form, cut in the middle, or long and with digits. */
export function readsAsAddress(name: string): boolean {
  const drawn = drawnAs(name)
  if (/^\p{Pd}?[\dio]{1,2}:/u.test(drawn)) return true
  return FRIENDLY.test(drawn) && (CUT.test(name) || (name.length > LONGEST_WORD && /\d/.test(name)))
}
