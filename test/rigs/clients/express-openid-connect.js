// A web application with express-openid-connect: node express-openid-connect.js ISSUER CLIENT_ID SECRET PORT. Its page
// needs a login. It logs out at the server too, and takes logout tokens. Prints a line once it listens.
import express from 'express'
import { auth } from 'express-openid-connect'

const [issuerBaseURL = '', clientID = '', clientSecret = '', port = ''] = process.argv.slice(2)

/** The sessions, and the logouts to come, as a store of express-session. */
const kept = new Map()
const store = {
  get: (id, done) => done(null, kept.get(id)),
  set: (id, value, done) => done(null, kept.set(id, value)),
  destroy: (id, done) => done(null, kept.delete(id)),
}

const app = express()
app.use(
  auth({
    issuerBaseURL,
    baseURL: `http://localhost:${port}`,
    clientID,
    clientSecret,
    secret: 'a-secret-of-the-tests-0123456789abcdef',
    authorizationParams: { response_type: 'code', scope: 'openid profile' },
    idpLogout: true,
    backchannelLogout: { store },
    // Browsers share the cookies of a host among its ports.
    session: { name: clientID, store },
    transactionCookie: { name: `${clientID}-transaction` },
  }),
)
app.get('/', (request, response) => response.send(`hello ${request.oidc.user.sub}`))
app.listen(Number(port), '127.0.0.1', () => console.log('listening'))
