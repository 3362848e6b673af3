/** Sections with a MUST of RFC 6238 (one-time codes by time). */
export const musts = {
  'RFC 6238 §5.2': 'A one-time code is accepted once, in a small window of time.',
} as const
