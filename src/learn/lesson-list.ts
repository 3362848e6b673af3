import type { Lesson } from './model.js'

/** Loads a built-in lesson. The order is that of the course. */
const loaders: readonly (() => Promise<Lesson>)[] = [
  async () => (await import('./00-printing-service.js')).lesson,
  async () => (await import('./01-who-is-who.js')).lesson,
  async () => (await import('./02-not-login.js')).lesson,
  async () => (await import('./03-registered-addresses.js')).lesson,
  async () => (await import('./04-state.js')).lesson,
  async () => (await import('./05-pkce.js')).lesson,
  async () => (await import('./06-one-use.js')).lesson,
  async () => (await import('./07-reading-a-token.js')).lesson,
  async () => (await import('./08-client-authentication.js')).lesson,
  async () => (await import('./09-scopes-and-consent.js')).lesson,
  async () => (await import('./10-resource-server.js')).lesson,
  async () => (await import('./11-audience.js')).lesson,
  async () => (await import('./12-refresh.js')).lesson,
  async () => (await import('./13-revocation.js')).lesson,
  async () => (await import('./14-id-token.js')).lesson,
  async () => (await import('./15-logout.js')).lesson,
  async () => (await import('./16-implicit.js')).lesson,
  async () => (await import('./17-password.js')).lesson,
  async () => (await import('./18-mix-up.js')).lesson,
  async () => (await import('./19-devices.js')).lesson,
  async () => (await import('./20-leaking.js')).lesson,
  async () => (await import('./21-dpop.js')).lesson,
  async () => (await import('./22-par.js')).lesson,
  async () => (await import('./23-exchange.js')).lesson,
  async () => (await import('./24-service-accounts.js')).lesson,
  async () => (await import('./25-stages.js')).lesson,
  async () => (await import('./26-compression.js')).lesson,
  async () => (await import('./27-examine.js')).lesson,
  async () => (await import('./28-unknown-client.js')).lesson,
]

/** The built-in lessons, in the order of the course. */
export function builtInLessons(): Promise<Lesson[]> {
  return Promise.all(loaders.map(load => load()))
}
