// The only function that the WebAssembly calls: see page.h.
mergeInto(LibraryManager.library, {
  page_on_progress: function(iterations, objective, violation) {
    if (Module['onProgress']) Module['onProgress'](iterations, objective, violation);
  },
});
