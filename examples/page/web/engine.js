// The page's interface to a worker that holds the library.

// The parts of the page that workers need, made once.
const workerParts = {
  url: null,
  get() {
    if (this.url === null) {
      const source = byId('worker-source').textContent;
      this.url = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
    }
    return this.url;
  },
};
let messageNumber = 0;  // counts the messages to all workers

class Engine {
  // on: functions by kind of message.  Messages that belong to earlier requests are dropped.
  constructor(on) {
    this.on = on;
    this.worker = null;
    this.number = 0;
    this.busy = false;      // in a call, during which it takes no messages, as far as is known
    this.waiting = null;    // the request to send after it
    this.since = 0;
  }

  start() {
    this.worker = new Worker(workerParts.get());
    this.worker.onmessage = ({data}) => this.receive(data);
    this.worker.onerror = (event) => this.on.failed({error: event.message});
    this.worker.postMessage({kind: 'start', base64: byId('library').textContent});
  }

  // Sends a request that replaces the running one.  A call of the library cannot be told to end: if
  // it takes long, a new worker is quicker.
  send(request) {
    const kPatience = 400;  // milliseconds
    if (this.worker === null) this.start();
    if (this.busy && performance.now() - this.since < kPatience) {
      this.waiting = request;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.waiting && this.restart(this.waiting), kPatience);
      return;
    }
    if (this.busy) return this.restart(request);
    this.waiting = null;
    this.number = ++messageNumber;
    this.busy = request.kind !== 'stop';
    this.since = performance.now();
    this.worker.postMessage({...request, number: this.number});
  }

  restart(request) {
    this.worker.terminate();
    this.worker = null;
    this.waiting = null;
    this.busy = false;
    if (request) this.send(request);
  }

  // Drops further messages of the running request.
  cancel() {
    if (this.worker) this.send({kind: 'stop'});
  }

  // Ends the running request; the next one starts a new worker.
  stop() {
    if (this.worker) this.restart(null);
  }

  receive(message) {
    if (message.kind === 'ready') return this.on.ready && this.on.ready(message);
    if (message.number !== this.number) return;
    if (message.kind !== 'progress') this.busy = false;
    if (this.waiting) return this.send(this.waiting);
    if (this.on[message.kind]) this.on[message.kind](message);
  }
}
