// Pages opened from files may start no workers.  This one runs the script in a hidden frame, whose
// `postMessage` and message events are what a worker's are.
window.Worker = class extends EventTarget {
  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.scope = frame.contentWindow;
    this.scope.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
    const script = frame.contentDocument.createElement("script");
    script.src = url;
    this.loaded = new Promise((done) => script.addEventListener("load", done));
    frame.contentDocument.body.append(script);
  }

  postMessage(data) {
    this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", {data})));
  }
};
