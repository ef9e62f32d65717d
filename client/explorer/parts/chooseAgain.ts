/** Of a field for files: one that was chosen before, and was written anew since, counts as another one. */
export const chooseAgain = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
  currentTarget.value = ''
}
