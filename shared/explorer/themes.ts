export const THEMES = ['auto', 'light', 'dark'] as const
export type ThemeChoice = (typeof THEMES)[number]

export const THEME_SIGNS: Readonly<Record<ThemeChoice, string>> = { auto: '◐', light: '☀', dark: '☾' }
