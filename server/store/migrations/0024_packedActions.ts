// Details of actions are packed from here on, by the program: those that are there stay as they are.

export const packedActions = 'alter table actions alter column details type text;'
