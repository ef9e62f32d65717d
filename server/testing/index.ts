// `tonrpc/testing`: a service of its own for a file of tests, in a process and a folder that go with the tests.
// It runs the command as it is built, and knows nothing else of the service.

export { startTestService, type TestService, type TestServiceOptions } from './startTestService.ts'
