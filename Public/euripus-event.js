var d=(s,{part:t,at:u,names:i})=>{let e,o;t.onState(()=>{let{count:n=0,value:l}=u()??{};if(e!==void 0&&o===t.root.session.url&&n>e){let c={name:i.at(-1),value:l,count:n-e};s.dispatchEvent(new CustomEvent("vm:pulse",{bubbles:!0,detail:c}))}[e,o]=[n,t.root.session.url]})};export{d as directive};
//# sourceMappingURL=euripus-event.js.map
