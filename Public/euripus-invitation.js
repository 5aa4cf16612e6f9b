var e="#invitation=",t=document.querySelector("[data-vm-invited]");if(t&&location.hash.startsWith(e)){t.dataset.vmInvitation=location.hash.slice(e.length),history.replaceState(history.state,"",location.pathname+location.search);for(let o of Object.keys(sessionStorage))o.startsWith("euripus:"+t.dataset.vmRoot)&&delete sessionStorage[o]}
//# sourceMappingURL=euripus-invitation.js.map
