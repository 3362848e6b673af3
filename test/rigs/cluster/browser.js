// A browser with alice in front of it, for programs that open an address of their own, which redirects to the server: node browser.js ADDRESS
import { logIn } from '../../programs/clients/log-in.js'

const { headers } = await fetch(process.argv[2], { redirect: 'manual' })
await fetch(await logIn(new URL(headers.get('location'))))
