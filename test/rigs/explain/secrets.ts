/** Names of parameters and members whose values are secrets. */
const SECRET =
  /^(code|access_token|refresh_token|id_token|code_verifier|client_secret|password|state|nonce|session_code)$/

function inForm(form: string): string[] {
  return [...new URLSearchParams(form)].flatMap(([name, value]) => (SECRET.test(name) ? [value] : []))
}

function inJson(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    typeof each === 'string' && SECRET.test(name) ? [each] : inJson(each),
  )
}

/** The forms and JSON texts in a value, such as a query in an address. */
function inText(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text)
    if (typeof json === 'object') return inJson(json)
  } catch {
    // no JSON
  }
  return text.split(/[?#]/).flatMap(inForm)
}

/**
 * Collects the secrets of a recording: parameters and members with the names of secrets wherever they stand, cookies, and the signatures of
 * tokens. Nothing of oauth-lab takes part, so that its redaction is judged by another reading.
 */
export function secretsOf(har: string): readonly string[] {
  const found = new Set<string>(['wonderland'])
  const visit = (value: unknown): void => {
    if (typeof value === 'string') for (const each of inText(value)) found.add(each)
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (typeof value === 'object' && value !== null) {
      const {
        name,
        value: text,
        cookies,
      } = value as { name?: unknown; value?: unknown; cookies?: { value: string }[] }
      if (typeof name === 'string' && typeof text === 'string' && SECRET.test(name)) found.add(text)
      if (Array.isArray(cookies)) for (const cookie of cookies) found.add(cookie.value)
      for (const each of Object.values(value)) visit(each)
    }
  }
  visit(JSON.parse(har))
  const signatures = [...found].flatMap(each => /^ey[\w-]+\.[\w-]+\.([\w-]+)$/.exec(each)?.[1] ?? [])
  // Short values are part of other words by chance.
  return [...found, ...signatures].filter(each => each.length >= 8)
}
